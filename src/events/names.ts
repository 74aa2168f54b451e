/**
 * Names of canonical events: Claude Code's, which Codex and Copilot adopted, and a few in the same style for what Claude
 * lacks. The list is open: an unknown event keeps its native name.
 */
import { INFERRED, RAISED } from './own.ts'

export { CANARY, OWN_AGENT } from './own.ts'

export const EVENT_TYPES = [
  'SessionStart',
  'SessionEnd',
  'Setup',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'Notification',
  'Stop',
  'StopFailure',
  'Interrupt',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PreModelRequest',
  'PostModelRequest',
  'PreToolSelection',
  'PreModelSwitch',
  'PostModelSwitch',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'InstructionsLoaded',
  'WorktreeCreate',
  'WorktreeRemove',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
  'StatusLine',
] as const

/** Also the form of names of agents that gantry does not know. */
export const AGENT_NAME = /^[a-z0-9_-]{1,32}$/

export function isAgentName(name: string): boolean {
  return AGENT_NAME.test(name)
}

/** The streams of the bus. */
export const STREAMS = ['HOOK_EVENTS', 'SESSION_EVENTS', 'DECISION_EVENTS', 'GANTRY_EVENTS'] as const

export type StreamName = (typeof STREAMS)[number]

export type KnownEventType = (typeof EVENT_TYPES)[number]

/** Autocompletes the known names and takes any other. */
export type EventType = KnownEventType | (string & {})

/** A payload without usable content: empty, not JSON, or without an event name. */
export const UNREADABLE = 'Unreadable'

/** Every canonical type that the journal may hold: what filters accept and completions offer. */
export const STORED_TYPES: readonly string[] = [
  ...EVENT_TYPES,
  ...INFERRED,
  ...Object.keys(RAISED),
  UNREADABLE,
]

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)

export function isKnownType(type: string): type is KnownEventType {
  return KNOWN.has(type)
}
