/** What the journal must say of any run of any agent. */
import { expect } from 'bun:test'
import { agentFor } from '../../src/agents/index.ts'
import type { Finding, WireEvent } from '../../src/client/index.ts'
import { isKnownType } from '../../src/events/index.ts'
import type { Driver } from './driver.ts'
import { gantry, type Stage } from './stage.ts'

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

/** The schema watch knows every payload that came so far. */
export async function expectNothingStrange(stage: Stage): Promise<void> {
  await gantry(stage, 'rpc', 'schema.drifts') // all that came is learned now
  const findings = JSON.parse((await stage.gantry('doctor', '--json')).stdout) as Finding[]
  expect(findings.length).toBeGreaterThan(3)
  expect(findings.filter(({ about }) => about === 'drift').map(({ message }) => message)).toEqual([])
}

/** Agents that run all their hooks raise no alarm. */
export async function expectAllCovered(stage: Stage): Promise<void> {
  expect(JSON.parse(await gantry(stage, 'rpc', 'events.list', '{"type":"ToolCallUncovered"}'))).toEqual([])
}

export function without(types: readonly string[], some: readonly string[]): string[] {
  return types.filter((type) => !some.includes(type))
}

/** The events of a session with one prompt. */
export function turn(...inside: string[]): string[] {
  return ['SessionStart', 'UserPromptSubmit', ...inside, 'Stop', 'SessionEnd']
}
