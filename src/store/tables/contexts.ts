/**
 * Event contexts as spans: a row applies from its event on, for one session or sub-agent, until the next row. A prompt, a
 * branch or a commit starts a row; a tool call does not.
 */
import type { Database, Statement } from 'bun:sqlite'

export interface ContextSpan {
  readonly agent: string
  readonly sessionId: string
  /** Empty for the session itself. */
  readonly agentId: string
  /** The first event of the span. */
  readonly seq: number
  readonly promptId: string | null
  readonly projectDir: string | null
  /** JSON. */
  readonly git: string | null
}

const COLUMNS = `agent, session_id AS sessionId, agent_id AS agentId, seq, prompt_id AS promptId,
                 project_dir AS projectDir, git`

export class ContextRows {
  readonly #db: Database
  readonly #put: Statement<unknown, (string | number | null)[]>
  readonly #at: Statement<ContextSpan, [string, string, string, number]>

  constructor(db: Database) {
    this.#db = db
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO event_contexts (agent, session_id, agent_id, seq, prompt_id, project_dir, git)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#at = db.prepare(
      `SELECT ${COLUMNS} FROM event_contexts
        WHERE agent = ? AND session_id = ? AND agent_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1`,
    )
  }

  /** Call it inside a transaction. */
  put({ agent, sessionId, agentId, seq, promptId, projectDir, git }: ContextSpan): void {
    this.#put.run(agent, sessionId, agentId, seq, promptId, projectDir, git)
  }

  /** The span that contains an event. */
  at(agent: string, sessionId: string, agentId: string, seq: number): ContextSpan | undefined {
    return this.#at.get(agent, sessionId, agentId, seq) ?? undefined
  }

  /** The first event of the prompt that is current at `seq`. */
  promptBegan(agent: string, sessionId: string, seq: number): number {
    const span = this.at(agent, sessionId, '', seq)
    if (!span?.promptId) return 0
    return (
      this.#db
        .query<{ seq: number | null }, [string, string, string, number]>(
          `SELECT min(seq) AS seq FROM event_contexts
            WHERE agent = ? AND session_id = ? AND agent_id = '' AND prompt_id = ? AND seq <= ?`,
        )
        .get(agent, sessionId, span.promptId, seq)?.seq ?? span.seq
    )
  }
}
