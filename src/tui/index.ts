/**
 * The fleet and the bus on a terminal, drawn by opentui. Loaded only when a screen is opened: no other command pays for
 * it.
 *
 *   await openHosts(places())
 */
import { type BusRequest, SessionFeed } from '../client/index.ts'
import type { Places } from '../core/files/paths.ts'

/** Resolves when the person leaves. */
export async function openHosts(places: Places): Promise<void> {
  takeReleaseBuild()
  const sessions = new SessionFeed(places)
  const { openHosts: open } = await import('./fleet.tsx')
  await open(places, sessions)
}

/** A stream of the bus, live. Resolves when the person leaves. */
export async function openBus(places: Places, request: BusRequest): Promise<void> {
  takeReleaseBuild()
  const { openBus: open } = await import('./bus.tsx')
  await open(places, request)
}

/** React asks for this when it is loaded; its other build checks more and takes twice the time. */
function takeReleaseBuild(): void {
  process.env.NODE_ENV ??= 'production'
}
