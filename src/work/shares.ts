/** Stores the context usage of an effort's window as its session shows it, also after the last tool call of a turn. */
import type { Session } from '../sessions/state/index.ts'
import type { WorkRows } from '../store/index.ts'

interface ShareParts {
  readonly rows: WorkRows
  readonly relaxed: (work: () => void) => void
}

const MAX_REMEMBERED = 5_000

export class Shares {
  readonly #parts: ShareParts
  /** By session: the last share seen, so that most events cost nothing here. */
  readonly #seen = new Map<string, number>()

  constructor(parts: ShareParts) {
    this.#parts = parts
  }

  show(changed: readonly (Session | undefined)[]): void {
    const { rows, relaxed } = this.#parts
    for (const session of changed) {
      const pct = session?.usage.contextPct
      if (!session || pct === undefined || this.#seen.get(session.key) === pct) continue
      const window = rows.sessionOf(session.agent, session.id, '')
      const contextUsage = pct / 100
      // An ended window keeps its last share; in the same session the next one starts empty (Gemini).
      if (window && window.endedAt === null && window.contextUsage !== contextUsage) {
        try {
          relaxed(() => rows.updateSession(window.id, { contextUsage }))
        } catch {
          continue // the database is locked; the session's next event tries again
        }
      }
      if (this.#seen.size > MAX_REMEMBERED) this.#seen.clear()
      this.#seen.set(session.key, pct)
    }
  }
}
