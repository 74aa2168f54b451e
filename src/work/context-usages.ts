/** Stores the context usage of an effort's window as its session shows it, also after the last tool call of a turn. */
import { RecentMap } from '../core/recent-map.ts'
import type { Session } from '../sessions/state/index.ts'
import type { WorkRows } from '../store/index.ts'

interface UsageParts {
  readonly rows: WorkRows
  readonly relaxed: (work: () => void) => void
}

const MIN_REMEMBERED = 2_500

export class ContextUsages {
  readonly #parts: UsageParts
  /** By session: the last percentage seen, so that most events cost nothing here. */
  readonly #seen = new RecentMap<string, number>(MIN_REMEMBERED)

  constructor(parts: UsageParts) {
    this.#parts = parts
  }

  show(changed: readonly (Session | undefined)[]): void {
    const { rows, relaxed } = this.#parts
    for (const session of changed) {
      const pct = session?.usage.contextPct
      if (!session || pct === undefined || this.#seen.get(session.key) === pct) continue
      const window = rows.sessionOf(session.agent, session.id, '')
      const contextUsage = pct / 100
      // An ended window keeps its last usage; in the same session the next one starts empty (Gemini).
      if (window && window.endedAt === null && window.contextUsage !== contextUsage) {
        try {
          relaxed(() => rows.updateSession(window.id, { contextUsage }))
        } catch {
          continue // the database is locked; the session's next event tries again
        }
      }
      this.#seen.set(session.key, pct)
    }
  }
}
