/**
 * Live data for the screen: the events of a session, the other hosts. All go on by themselves if the daemon is down, which
 * the session feed reports.
 */
import { call, type FleetSessions, subscribe, throughRestarts, type WireEvent } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { pause } from '../core/time/waits.ts'
import { type Entry, timelineOf, withoutPayload } from '../timeline/index.ts'

const FIRST_EVENTS = 100
const MAX_EVENTS = 400 // a session may be watched for days

/** The last events of a session, then new ones; each call passes the whole list, newest last. */
export async function followSession(
  places: Places,
  session: { readonly id: string; readonly agent: string },
  show: (entries: readonly Entry[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const query = { session: session.id, agent: session.agent }
  let known: readonly WireEvent[] = []
  let limit = FIRST_EVENTS
  let after = 0
  const add = (events: readonly WireEvent[]) => {
    after = Math.max(after, events.at(-1)?.seq ?? 0)
    known = [...known, ...events.map(withoutPayload)].slice(-MAX_EVENTS)
    if (!signal.aborted) show(timelineOf(session, known, []))
  }
  const told = (_: 'here' | 'away', error?: unknown) => {
    // If events are huge, fewer will do.
    if (error instanceof GantryError && error.code === 'TOO_LARGE') limit = Math.max(1, limit >> 1)
  }
  const events = throughRestarts({ signal, always: true, told }, async function* (signal, here) {
    if (after === 0) add(await call(places, 'events.list', { ...query, limit }, { signal }))
    for await (const event of subscribe(places, { ...query, after }, signal, here)) yield add([event])
  })
  for await (const _ of events);
}

/** The setting in gantry.toml when the daemon first answers. */
export async function isBlinkWanted(places: Places, signal: AbortSignal): Promise<boolean> {
  const answers = throughRestarts({ signal, always: true }, async function* (signal) {
    yield await call(places, 'config.show', {}, { signal })
  })
  for await (const rows of answers)
    return rows.some(({ key, value }) => key === 'tui.blink' && value === true)
  return false
}

const HOSTS_MS = 2_000 // as often as the page looks
const NO_HOSTS_MS = 15_000

/** Other hosts of the fleet, while there are some. */
export async function followHosts(
  places: Places,
  show: (fleet: FleetSessions) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let last = ''; !signal.aborted; ) {
    let hosts = 1
    try {
      const fleet = await call(places, 'fleet.sessions', {}, { signal })
      hosts = fleet.hosts.length
      const others = JSON.stringify([
        fleet.hosts.filter(({ self }) => !self).map(({ host, state }) => [host, state]),
        fleet.sessions.filter(({ host }) => fleet.hosts.some((one) => one.host === host && !one.self)),
      ])
      if (others !== last && !signal.aborted) show(fleet)
      last = others
    } catch {
      // asked again
    }
    await pause(hosts > 1 ? HOSTS_MS : NO_HOSTS_MS, signal)
  }
}
