/** Outside evidence about sessions, turned into events: transcripts, processes, answered dialogs. */
import type { HookEvent } from '../../events/index.ts'
import { type Change, keyOf } from '../../sessions/index.ts'
import { ApprovalHealer } from './approvals.ts'
import { ProcessHealer } from './processes.ts'
import { StatusHealer } from './statuses.ts'
import { type HealerParts, TranscriptHealer } from './transcripts.ts'

export class Healers {
  readonly #transcripts: TranscriptHealer
  readonly #processes: ProcessHealer
  readonly #approvals: ApprovalHealer
  readonly #statuses: StatusHealer
  readonly #parts: HealerParts

  constructor(parts: HealerParts) {
    this.#parts = parts
    this.#transcripts = new TranscriptHealer(parts)
    this.#processes = new ProcessHealer(parts)
    this.#approvals = new ApprovalHealer(parts)
    this.#statuses = new StatusHealer(parts)
  }

  /** After the answers have left. */
  committed(events: readonly HookEvent[], changes: readonly Change[]): void {
    const env = new Map(events.map((event) => [keyOf(event), event.client.env]))
    for (const { session } of changes) {
      this.#transcripts.follow(session, env.get(session.key) ?? {})
      this.#processes.follow(session)
      this.#statuses.follow(session, env.get(session.key) ?? {})
    }
    for (const event of events) this.#approvals.see(event)
  }

  /** Sessions that were alive when the daemon was last there. */
  resume(keys: Iterable<string>): void {
    for (const key of keys) {
      const session = this.#parts.session(key)
      if (!session) continue
      this.#transcripts.follow(session, {})
      this.#processes.follow(session)
      this.#statuses.follow(session, {})
    }
  }

  close(): void {
    this.#transcripts.close()
    this.#processes.close()
    this.#approvals.close()
    this.#statuses.close()
  }
}
