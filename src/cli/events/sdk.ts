/** Prints events in the format of claude-hooks-sdk: payload and context, one JSON object per line. */
import {
  call,
  type EventQuery,
  OWN_AGENT,
  sdkLine,
  subscribe,
  throughRestarts,
  type WireEvent,
} from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { sayAway } from '../framework/daemon.ts'
import { out } from '../framework/terminal.ts'

const PAGE = 500
const PAGE_CHARS = 8 * 1024 * 1024

/** What gantry raises itself is no hook; it is shown only if it is asked for. */
export function hooksOnly(query: EventQuery): EventQuery {
  return query.agent === OWN_AGENT ? query : { ...query, except: OWN_AGENT }
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

/** Prints events in batches as they come, and resumes after a restart of the daemon. */
export async function followSdk(places: Places, query: EventQuery, last: number): Promise<number> {
  let after = last
  const open = async function* (signal: AbortSignal, here: () => void) {
    for await (const page of pagesOf(subscribe(places, { ...query, after }, signal, here))) {
      await listSdk(places, page) // it asks the daemon, too, so a page may have to be printed again
      after = page.at(-1)?.seq ?? after
      yield page.length
    }
  }
  for await (const _ of throughRestarts({ wait: true, told: sayAway() }, open));
  return 0
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

/** Batches what is available, up to a limit. */
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
