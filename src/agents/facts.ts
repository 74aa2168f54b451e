/**
 * Only the agents' facts: a separate entry point for the code under every tool call and for the terminal. It loads no
 * reader, answer or settings.
 *
 *   factsOf('claude').glyph   // '✻'
 */
import type { HookEvent } from '../events/index.ts'
import type { AgentFacts, ToolNames } from './agent.ts'
import { AGENT_NAMES, FACTS } from './facts.gen.ts'

export { AGENT_NAMES }

/** The facts, and values derived from the rest of the record. */
export interface CopiedFacts extends AgentFacts {
  /** Native events whose answer can change what the agent does. */
  readonly deciders: readonly string[]
}

/** The agent of an event that names none. Other tools' formats know only this agent. */
export const DEFAULT_AGENT = AGENT_NAMES[0]

const BY_ID: ReadonlyMap<string, CopiedFacts> = new Map(FACTS.map((facts) => [facts.id, facts]))
const UNKNOWN: CopiedFacts = { id: '', glyph: '•', env: [], marks: [], deciders: [] }

/** An unknown id gets empty facts. */
export function factsOf(agent: string): CopiedFacts {
  return BY_ID.get(agent) ?? UNKNOWN
}

/** The value of the agent's own pid variable, unparsed. */
export function pidIn(agent: string, env: Readonly<Record<string, string>>): string | undefined {
  const { pidVariable } = factsOf(agent)
  return pidVariable === undefined ? undefined : env[pidVariable]
}

const ASKING: ReadonlySet<string> = new Set(FACTS.flatMap(({ asksBy = [] }) => asksBy))

/** Whether the event asks a person for a permission. */
export function asksPermission({ type, notification }: Pick<HookEvent, 'type' | 'notification'>): boolean {
  return type === 'PermissionRequest' || (type === 'Notification' && ASKING.has(notification?.type ?? ''))
}

/** All agents' tools for any of these purposes. */
export function toolsThat(...doing: readonly (keyof ToolNames)[]): ReadonlySet<string> {
  return new Set(FACTS.flatMap(({ tools = {} }) => doing.flatMap((kind) => tools[kind] ?? [])))
}

/** One kind of fact of all agents, deduplicated and sorted. */
export function ofAllAgents(
  pick: (facts: CopiedFacts) => readonly string[],
  ...more: readonly string[]
): string[] {
  return [...new Set([...more, ...FACTS.flatMap(pick)])].sort()
}
