/**
 * The dashboard and the bus on a terminal, drawn by opentui. Loaded only when a screen is opened, so other commands do not
 * pay for it.
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

/** A live bus stream. Resolves when the person leaves. */
export async function openBus(places: Places, request: BusRequest): Promise<void> {
  takeReleaseBuild()
  const { openBus: open } = await import('./bus.tsx')
  await open(places, request)
}

/** Selects React's production build; the development build takes twice the time to load. */
function takeReleaseBuild(): void {
  process.env.NODE_ENV ??= 'production'
}
