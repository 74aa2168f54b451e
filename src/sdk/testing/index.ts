/**
 * `gantry/sdk/testing`: test handlers and programs that follow events, without an agent.
 *
 *   import { event, tryHandler } from 'gantry/sdk/testing'
 *   expect(await tryHandler(handler, event.preToolUse({ input: { command: 'rm -rf /' } }))).toMatchObject({ block: true })
 */
import { askHandler, type Handler } from '../handler.ts'
import type { Opinion } from '../verdicts.ts'
import type { BuiltEvent } from './build-event.ts'

export { type BuiltEvent, type EventParts, event } from './build-event.ts'
export { type FakeClock, fakeClock } from './clock.ts'
export { startTestDaemon, type TestDaemon, type TestDaemonOptions } from './daemon.ts'

/** A handler's opinion on an event; an empty object is no opinion. Needs no daemon and no process. */
export function tryHandler(handler: Handler, built: BuiltEvent): Promise<Opinion> {
  return askHandler(handler, built.event)
}
