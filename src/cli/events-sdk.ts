/** Events in the form of claude-hooks-sdk: the payload, and what was around it, one JSON object a line. */
import { call, type EventQuery, sdkLine, subscribe, type WireEvent } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { note, out } from './terminal.ts'

const PAGE = 500
const PAGE_CHARS = 8 * 1024 * 1024
const RECONNECT_MS = 500
const OWN = 'gantry' // what gantry raises itself is no hook; it is shown when it is asked for

export function hooksOnly(query: EventQuery): EventQuery {
  return query.agent === OWN ? query : { ...query, except: OWN }
}

export async function listSdk(places: Places, events: Iterable<WireEvent>): Promise<void> {
  let page: WireEvent[] = []
  let chars = 0
  for (const event of events) {
    page.push(event)
    chars += (event.raw ?? event.rawBase64 ?? '').length
    if (page.length < PAGE && chars < PAGE_CHARS) continue
    await print(places, page)
    page = []
    chars = 0
  }
  if (page.length > 0) await print(places, page)
}

/** What came while the last ones were printed is printed together. Stays through restarts of the daemon. */
export async function followSdk(places: Places, query: EventQuery, last: number): Promise<never> {
  let printed = last
  for (;;) {
    try {
      for await (const page of pagesOf(subscribe(places, { ...query, after: printed }))) {
        await listSdk(places, page)
        printed = page.at(-1)?.seq ?? printed
      }
      note('the daemon went away; waiting for it')
    } catch (error) {
      if (!(error instanceof GantryError) || error.code !== 'DAEMON_AWAY') throw error
    }
    await Bun.sleep(RECONNECT_MS)
  }
}

async function print(places: Places, events: readonly WireEvent[]): Promise<void> {
  const seqs = events.map(({ seq }) => seq)
  const found = await call(places, 'events.contexts', { seqs })
  const lines = events.flatMap((event, n) => {
    const { context } = found[n] ?? {}
    return context ? [sdkLine(event, context)] : []
  })
  if (lines.length > 0) out(lines.join('\n'))
}

/** All that is there at once, as long as it is not too much. */
async function* pagesOf(events: AsyncIterable<WireEvent>): AsyncGenerator<WireEvent[]> {
  const iterator = events[Symbol.asyncIterator]()
  let next = iterator.next()
  for (;;) {
    const first = await next
    if (first.done) return
    const page = [first.value]
    next = iterator.next()
    while (page.length < PAGE) {
      const more = await Promise.race([next, afterThis()])
      if (more === undefined || more.done) break
      page.push(more.value)
      next = iterator.next()
    }
    yield page
  }
}

const MOMENT_MS = 10

function afterThis(): Promise<undefined> {
  return Bun.sleep(MOMENT_MS).then(() => undefined)
}
