/** What the journal must say of any run of any agent. */
import { expect } from 'bun:test'
import { agentFor } from '../../src/agents/index.ts'
import type { WireEvent } from '../../src/client/index.ts'
import { isKnownType } from '../../src/events/index.ts'
import type { Driver } from './driver.ts'

/** Every event understood, nothing unknown in it, all of one session, in the order of the journal. */
export function expectClean(events: readonly WireEvent[], driver: Driver): void {
  expect(events.length).toBeGreaterThan(0)
  for (const event of events) {
    if (event.transport === 'emit' || event.transport === 'healer') continue // gantry's own
    expect(event.agent).toBe(driver.release.agent)
    const isKnown = isKnownType(event.type) || event.native in agentFor(event.agent).events
    expect(isKnown, `${event.type} is not a known type`).toBe(true)
    expect(event.unknown, `${event.native} has fields that were never seen`).toBeUndefined()
  }
  expect(new Set(events.map((event) => event.sessionId)).size).toBe(1)
  expect(new Set(events.map((event) => event.id)).size).toBe(events.length)
}

export function without(types: readonly string[], some: readonly string[]): string[] {
  return types.filter((type) => !some.includes(type))
}
