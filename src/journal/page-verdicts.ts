/** What gantry answered to the events of a page, as far back as the stream of decisions goes. In short steps, as the page. */
import { isObject } from '../core/is-object.ts'
import { jsonIn } from '../core/json.ts'
import type { PagedEvent, PagedVerdict } from '../rpc/index.ts'
import type { DecisionRows } from '../store/index.ts'

const STEP = 500 // decisions
const EARLY_MS = 1_000 // clocks are set back a little
const LATE_MS = 15 * 60_000 // a person may have been asked
const REASON_CHARS = 300
const DECISIONS: ReadonlySet<string> = new Set(['none', 'allow', 'deny', 'ask', 'block-stop'])

export function* withVerdicts(
  events: readonly PagedEvent[],
  decisions: DecisionRows,
): Generator<void, readonly PagedEvent[]> {
  const times = events.map(({ receivedAt }) => receivedAt)
  const until = Math.max(...times) + LATE_MS
  const wanted = new Set(events.map(({ id }) => id))
  const found = new Map<string, PagedVerdict>()
  let after = events.length === 0 ? 0 : decisions.before(Math.min(...times) - EARLY_MS)
  while (found.size < wanted.size) {
    const rows = decisions.after(after, STEP)
    for (const { seq, id, type } of rows)
      if (wanted.has(id) && DECISIONS.has(type))
        found.set(id, verdictIn(type as PagedVerdict['decision'], decisions.data(seq)))
    const last = rows.at(-1)
    if (!last || rows.length < STEP || last.at > until) break
    after = last.seq
    yield
  }
  if (found.size === 0) return events
  return events.map((event) => {
    const verdict = found.get(event.id)
    return verdict ? { ...event, verdict } : event
  })
}

function verdictIn(decision: PagedVerdict['decision'], data: string): PagedVerdict {
  const said = jsonIn(data)
  const { by, reason } = isObject(said) ? said : {}
  return {
    decision,
    ...(typeof by === 'string' ? { by } : {}),
    ...(typeof reason === 'string' ? { reason: reason.slice(0, REASON_CHARS) } : {}),
  }
}
