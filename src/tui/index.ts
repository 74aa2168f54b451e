/**
 * The dashboard and the bus on a terminal, drawn by opentui. Loaded only when a screen is opened, so other commands do not
 * pay for it.
 *
 *   await showFleet(places())
 */
import { type BusRequest, SessionFeed } from '../client/index.ts'
import type { Places } from '../core/files/paths.ts'

/** Resolves when the person leaves. */
export async function showFleet(places: Places): Promise<void> {
  takeReleaseBuild()
  const sessions = new SessionFeed(places)
  const { showFleet: show } = await import('./fleet.tsx')
  await show(places, sessions)
}

/** A live bus stream. Resolves when the person leaves. */
export async function showBus(places: Places, request: BusRequest): Promise<void> {
  takeReleaseBuild()
  const { showBus: show } = await import('./bus.tsx')
  await show(places, request)
}

/** Selects React's production build; the development build takes twice the time to load. */
function takeReleaseBuild(): void {
  process.env.NODE_ENV ??= 'production'
}
