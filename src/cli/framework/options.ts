/** Options that several commands have. */
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import { flag } from './define.ts'

export const json = flag('Print as JSON')
export const jsonList = flag('Print an array of records')
export const dryRun = flag('Show what would be written, and write nothing')
export const yes = flag('Write without asking', 'y')
export const session = {
  kind: 'session',
  help: 'Only this session: its id or name, or the beginning of one',
} as const
export const agent = { kind: 'agent', help: `Only this agent, e.g. ${DEFAULT_AGENT}` } as const
export const payloadAgent = { kind: 'agent', help: `Whose payload it is (default ${DEFAULT_AGENT})` } as const
export const type = { kind: 'type', help: 'Only this event type, e.g. PreToolUse' } as const
export const since = {
  kind: 'time',
  help: 'Only what came since: a time span ago (90s, 15m, 1h, 7d) or an ISO time',
} as const
export const stream = {
  kind: 'stream',
  default: 'HOOK_EVENTS',
  help: 'HOOK_EVENTS, SESSION_EVENTS, DECISION_EVENTS or GANTRY_EVENTS',
} as const
export const filter = {
  kind: 'type',
  value: 'subject',
  short: 'f',
  help: 'Only this type (Stop), or a subject with the wildcards * and >',
} as const
export const ALL = { all: Infinity } as const
