/** Lists, filters and follows the journal. */
import {
  call,
  doubtsAbout,
  type EventQuery,
  subscribe,
  throughRestarts,
  type WireEvent,
} from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import { sessionKeyOf } from '../../events/keys.ts'
import { lineOf, type TypeTone, typeTone } from '../../timeline/line.ts'
import { sayAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { storedEvents } from '../framework/stored.ts'
import { byTone, columns, cut, dated, dim, note, out, padTo, plain, widthOf } from '../framework/terminal.ts'
import { sessionIdOf } from '../sessions/id.ts'
import type * as commands from './index.ts'
import { followSdk, hooksOnly, listSdk } from './sdk.ts'

export async function run({ flags, places }: Input<typeof commands.events>): Promise<number> {
  const { limit, format: form = flags.json ? 'json' : 'text', follow: follows } = flags
  const { session: named, type, agent, subagent, since, grep } = flags
  const session = named === undefined ? undefined : await sessionIdOf(places, named)
  const asked = withoutUndefined({ session, type, agent, subagent, since, grep })
  const query: EventQuery = form === 'sdk' ? hooksOnly(asked) : asked
  const show = form === 'json' ? showJson : lineShower()
  const { database, lastSeq } = await call(places, 'status')
  const stored = storedEvents(database, { ...query, before: lastSeq + 1 }, limit)
  const refuseUnknown = () => {
    const names = { types: query.type === undefined ? [] : [query.type], agent: query.agent }
    for (const { query: some, error } of doubtsAbout(names, follows ? 'awaited' : 'stored'))
      if (storedEvents(database, some, 1).next().done) throw error
  }
  if (form === 'sdk') {
    refuseUnknown()
    await listSdk(places, stored)
    return follows ? followSdk(places, query, lastSeq) : 0
  }
  let shown = 0
  for (const event of stored) {
    show(event)
    shown += 1
  }
  if (shown === 0) refuseUnknown()
  if (shown === 0 && !follows && process.stderr.isTTY) note(nothingFor(query))
  return follows ? follow(places, query, lastSeq, show) : 0
}

/** Resumes after a restart of the daemon, by sequence. */
async function follow(
  places: Places,
  query: EventQuery,
  last: number,
  show: (event: WireEvent) => void,
): Promise<number> {
  let after = last
  const open = (signal: AbortSignal, here: () => void) => subscribe(places, { ...query, after }, signal, here)
  for await (const event of throughRestarts({ wait: true, told: sayAway() }, open)) {
    show(event)
    after = event.seq
  }
  return 0
}

/** For people: a program sees an empty output. */
function nothingFor(query: EventQuery): string {
  return Object.keys(query).length === 0 ? 'The journal has no events yet.' : 'No event matches.'
}

function showJson(event: WireEvent): void {
  out(JSON.stringify(event))
}

const MAX_TYPE_COLUMNS = 40 // the longest there is has 25; anybody may send another

/** The times of today stand below those of earlier days, which are longer. */
function lineShower(): (event: WireEvent) => void {
  let times = 0
  return (event) => {
    const time = dated(event.at)
    times = Math.max(times, time.length)
    const session = plain(sessionOf(event) || '-').slice(0, 8)
    const head = `${time.padStart(times)}  ${padTo(plain(event.agent), 8)} ${padTo(session, 8)}  `
    const type = padTo(cut(plain(event.type), MAX_TYPE_COLUMNS), 19)
    const room = columns() - widthOf(head) - widthOf(type) - 1
    out(`${dim(head)}${byType(typeTone(event.type))(type)} ${cut(plain(lineOf(event)), Math.max(10, room))}`)
  }
}

/** Events of gantry's own may name it only by its key, `claude:8f2c1d`. */
function sessionOf(event: WireEvent): string {
  return event.sessionId || sessionKeyOf(event).replace(/^[^:]*:/, '')
}

/** The end of a turn is green here. */
export function byType(tone: TypeTone): (text: string) => string {
  return byTone(tone === 'done' ? 'work' : tone)
}
