/**
 * Field mappers: one small function per native field, which checks the value's type and stores it in the canonical event.
 * Values are referenced, never copied. Agents build their tables from these:
 *
 *   const PreToolUse: FieldMappers = { ...TOOL_FIELDS, permission_suggestions: keep }
 */
import { isObject } from '../core/is-object.ts'
import type { HookEvent, HookTool } from '../events/index.ts'

/** The event while it is being read. Mutable, because spreads would cost an object per optional field. */
export type Draft = { -readonly [K in keyof HookEvent]: HookEvent[K] }

/**
 * `mapped`: the value is fully mapped. `kept`: it (also) goes to `fields`, as a known field. `wrong`: this agent was never
 * seen to send such a value; it goes to `fields` and counts as drift.
 */
export type Outcome = 'mapped' | 'kept' | 'wrong'
export type FieldMapper = (draft: Draft, value: unknown) => Outcome
/** Keyed by native field name. */
export type FieldMappers = Readonly<Record<string, FieldMapper>>

/** The keys of a shape that accept any T, not only some literals of it. */
type KeyOf<T, Shape> = {
  [K in keyof Shape]-?: [T, Shape[K]] extends [NonNullable<Shape[K]>, T | undefined] ? K : never
}[keyof Shape]
type Notification = NonNullable<Draft['notification']>
type Failure = NonNullable<Draft['error']>
type Teammate = NonNullable<Draft['teammate']>
type Task = NonNullable<Draft['task']>

/** A known field without a canonical counterpart. */
export const keep: FieldMapper = () => 'kept'

/** For a field that may be null by the agent's own schema: null carries no value and is not drift. */
export function nullable(mapper: FieldMapper): FieldMapper {
  return (draft, value) => (value === null ? 'kept' : mapper(draft, value))
}

export function text(key: KeyOf<string, Draft>): FieldMapper {
  return (draft, value) => {
    if (typeof value !== 'string') return 'wrong'
    draft[key] = value
    return 'mapped'
  }
}

export function flag(key: KeyOf<boolean, Draft>): FieldMapper {
  return (draft, value) => {
    if (typeof value !== 'boolean') return 'wrong'
    draft[key] = value
    return 'mapped'
  }
}

export const toolInput: FieldMapper = (draft, value) => {
  toolOf(draft).input = value
  return 'mapped'
}

export const toolResponse: FieldMapper = (draft, value) => {
  toolOf(draft).response = value
  return 'mapped'
}

export function toolText(key: KeyOf<string, HookTool>): FieldMapper {
  return (draft, value) => {
    if (typeof value !== 'string') return 'wrong'
    toolOf(draft)[key] = value
    return 'mapped'
  }
}

/** `{id, …}`: Claude's status line, opencode. */
export const modelObject: FieldMapper = (draft, value) => {
  if (!isObject(value) || typeof value.id !== 'string') return 'wrong'
  draft.model = value.id
  return 'kept'
}

export const toolDuration: FieldMapper = (draft, value) => {
  if (!isFiniteNumber(value) || value < 0) return 'wrong'
  toolOf(draft).durationMs = value
  return 'mapped'
}

export const toolInterrupted: FieldMapper = (draft, value) => {
  if (typeof value !== 'boolean') return 'wrong'
  toolOf(draft).interrupted = value
  return 'mapped'
}

export function notificationText(key: KeyOf<string, Notification>): FieldMapper {
  return (draft, value) => {
    if (typeof value !== 'string') return 'wrong'
    draft.notification ??= { type: '' }
    draft.notification[key] = value
    return 'mapped'
  }
}

export function errorText(key: KeyOf<string, Failure>): FieldMapper {
  return (draft, value) => {
    if (typeof value !== 'string') return 'wrong'
    draft.error ??= { kind: '' }
    draft.error[key] = value
    return 'mapped'
  }
}

export function teammateText(key: KeyOf<string, Teammate>): FieldMapper {
  return (draft, value) => {
    if (typeof value !== 'string') return 'wrong'
    draft.teammate ??= { name: '' }
    draft.teammate[key] = value
    return 'mapped'
  }
}

export function taskText(key: KeyOf<string, Task>): FieldMapper {
  return (draft, value) => {
    if (typeof value !== 'string') return 'wrong'
    draft.task ??= { id: '' }
    draft.task[key] = value
    return 'mapped'
  }
}

/** JSON has no infinity, but `1e999` parses to one, and no consumer wants it. */
export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

export function toolOf(draft: Draft): HookTool {
  draft.tool ??= { name: '', input: undefined }
  return draft.tool
}

/** The name was read first, because it selects the table; here it is only accounted for. */
export const eventName: FieldMapper = (draft, value) => {
  if (typeof value !== 'string') return 'wrong'
  return value === draft.native ? 'mapped' : 'kept'
}

/** Common fields of Claude Code's events; Codex and, in part, the others use the same names. */
export const COMMON_FIELDS = {
  session_id: text('sessionId'),
  transcript_path: text('transcriptPath'),
  cwd: text('cwd'),
  hook_event_name: eventName,
  prompt_id: text('turnId'),
  permission_mode: text('permissionMode'),
  agent_id: text('agentId'),
  agent_type: text('agentType'),
} satisfies FieldMappers

export const TOOL_FIELDS = {
  tool_name: toolText('name'),
  tool_input: toolInput,
  tool_use_id: toolText('useId'),
} satisfies FieldMappers

/**
 * Names with one meaning on every event. They are understood even on an event never seen with them, such as a future
 * PermissionRequest with a tool_use_id, or an unknown event.
 */
export const UNAMBIGUOUS_FIELDS: FieldMappers = {
  ...COMMON_FIELDS,
  ...TOOL_FIELDS,
  tool_response: toolResponse,
  duration_ms: toolDuration,
  is_interrupt: toolInterrupted,
  prompt: text('prompt'),
  last_assistant_message: text('message'),
  notification_type: notificationText('type'),
  stop_hook_active: flag('stopHookActive'),
  agent_transcript_path: text('agentTranscriptPath'),
  source: text('source'),
  reason: text('reason'),
  trigger: text('trigger'),
  model: text('model'),
  teammate_name: teammateText('name'),
  team_name: teammateText('team'),
  task_id: taskText('id'),
  task_subject: taskText('subject'),
  task_description: taskText('description'),
  /** Added by other tools' hook scripts: the agent's process and its pane. */
  pid: keep,
  tmux_pane: keep,
}
