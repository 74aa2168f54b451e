/** Names of events, agents and tools in rules and handlers that nobody has, but that are close to a known one. */
import { AGENT_NAMES, DEFAULT_AGENT, factsOf } from '../agents/facts.ts'
import { closest } from '../core/text/closest.ts'
import { STORED_TYPES } from '../events/names.ts'

/** Programs may send events of any name, but one that is close to a known name is probably a mistake. */
export function typeWarning(type: string): string | undefined {
  return type === '*' ? undefined : strange(type, STORED_TYPES, 'event')
}

export function agentWarning(agent: string): string | undefined {
  return strange(agent, AGENT_NAMES, 'agent')
}

export function toolWarning(tool: string, agent?: string): string | undefined {
  const own = toolsOf(agent ?? DEFAULT_AGENT)
  const all = agent === undefined ? AGENT_NAMES.flatMap(toolsOf) : own
  const other = own.find((name) => name !== tool && name.toLowerCase() === tool.toLowerCase())
  if (other === undefined || own.includes(tool)) return strange(tool, all, 'tool')
  const whose = agent ?? DEFAULT_AGENT
  return `${whose} calls this tool "${other}", not "${tool}". "/^(?i:${tool})$/" is both`
}

function toolsOf(agent: string): string[] {
  return Object.values(factsOf(agent).tools ?? {}).flat()
}

function strange(name: string, known: readonly string[], what: string): string | undefined {
  const close = known.includes(name) ? undefined : closest(name, known)
  return close && `there is no ${what} "${name}". Did you mean ${close}?`
}
