/**
 * The agents' facts alone: a side door for what runs under every tool call, and for the terminal. It loads no reader, no
 * answer and no settings.
 *
 *   factsOf('claude').glyph   // '✻'
 */
import type { HookEvent } from '../events/index.ts'
import type { AgentFacts, ToolNames } from './agent.ts'
import { AGENT_NAMES, FACTS } from './facts.gen.ts'

export { AGENT_NAMES }

/** A record's facts with what follows from the rest of it. */
export interface CopiedFacts extends AgentFacts {
  /** Native events whose answer can change what the agent does. */
  readonly deciders: readonly string[]
}

/** Whose event it is where nobody says so. Other tools' formats know only this agent. */
export const DEFAULT_AGENT = AGENT_NAMES[0]

const BY_ID: ReadonlyMap<string, CopiedFacts> = new Map(FACTS.map((facts) => [facts.id, facts]))
const UNKNOWN: CopiedFacts = { id: '', glyph: '•', env: [], marks: [], deciders: [] }

/** An id nobody knows gets facts that say nothing. */
export function factsOf(agent: string): CopiedFacts {
  return BY_ID.get(agent) ?? UNKNOWN
}

/** The process that an agent's own variable names, as it stands there. */
export function pidIn(agent: string, env: Readonly<Record<string, string>>): string | undefined {
  const { pidVariable } = factsOf(agent)
  return pidVariable === undefined ? undefined : env[pidVariable]
}

const ASKING: ReadonlySet<string> = new Set(FACTS.flatMap(({ asksBy = [] }) => asksBy))

/** Whether an event says that a person is asked for a permission. */
export function asksPermission({ type, notification }: Pick<HookEvent, 'type' | 'notification'>): boolean {
  return type === 'PermissionRequest' || (type === 'Notification' && ASKING.has(notification?.type ?? ''))
}

/** The tools of all agents that do one of these things. */
export function toolsThat(...doing: readonly (keyof ToolNames)[]): ReadonlySet<string> {
  return new Set(FACTS.flatMap(({ tools = {} }) => doing.flatMap((kind) => tools[kind] ?? [])))
}

/** What all agents have of one kind, as one list without duplicates, sorted. */
export function ofAllAgents(
  pick: (facts: CopiedFacts) => readonly string[],
  ...more: readonly string[]
): string[] {
  return [...new Set([...more, ...FACTS.flatMap(pick)])].sort()
}
