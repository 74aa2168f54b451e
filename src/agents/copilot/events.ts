/**
 * Every hook event of Copilot CLI 1.0.102 with its own fields. A hook has one of two names in Copilot's settings, and the
 * name selects the payload: `preToolUse` gets camelCase, `PreToolUse` roughly what Claude Code would send. All were seen
 * live except `preMcpToolCall`, `preCompact` and fields marked `types`, which only the SDK's types have.
 */
import {
  COMMON_FIELDS,
  errorText,
  eventName,
  type FieldMappers,
  flag,
  keep,
  notificationText,
  text,
  toolInput,
  toolText,
} from '../fields.ts'
import { type EventSpec, toSnakeCase } from '../payload.ts'
import { failure, permissionTool, toolResult } from './nested.ts'

const CAMEL_COMMON: FieldMappers = {
  sessionId: text('sessionId'),
  timestamp: keep, // the agent's clock: milliseconds here, ISO with PascalCase names
  cwd: text('cwd'),
  workingDirectory: text('cwd'), // types
  transcriptPath: text('transcriptPath'),
  hookName: eventName,
  agentId: text('agentId'),
  agentType: text('agentType'),
  agentName: keep, // repeats the type; unlike other agents', it is never an id
  parentAgentId: keep,
}

const TOOL: FieldMappers = { toolName: toolText('name'), toolArgs: toolInput }
const STOP: FieldMappers = {
  stopReason: text('reason'),
  stop_hook_active: flag('stopHookActive'), // snake_case even in a camelCase payload
  stopHookActive: flag('stopHookActive'), // types
}
const SUBAGENT: FieldMappers = { agentDisplayName: keep, agentDescription: keep } // types

const CAMEL_EVENTS: Readonly<Record<string, EventSpec>> = {
  // In a terminal it comes only with the first prompt.
  sessionStart: event('SessionStart', { source: text('source'), initialPrompt: text('prompt') }),
  sessionEnd: event('SessionEnd', {
    reason: text('reason'),
    finalMessage: text('message'), // types
    error: keep, // types
  }),
  userPromptSubmitted: event('UserPromptSubmit', { prompt: text('prompt') }),
  // Unlike Claude's UserPromptExpansion, which belongs to a slash command and can be refused, this comes after every
  // prompt, with the text that the model gets.
  userPromptTransformed: event('UserPromptTransformed', { prompt: text('prompt'), transformedPrompt: keep }),
  preToolUse: event('PreToolUse', TOOL),
  permissionRequest: event('PermissionRequest', {
    toolName: permissionTool,
    toolInput,
    permissionSuggestions: keep,
  }),
  // Comes between preToolUse and the call, only for tools of MCP servers.
  preMcpToolCall: event('PreMcpToolCall', {
    toolCallId: toolText('useId'),
    serverName: toolText('mcpServer'),
    toolName: toolText('name'),
    arguments: toolInput,
    _meta: keep, // types
  }),
  postToolUse: event('PostToolUse', { ...TOOL, toolResult }),
  postToolUseFailure: event('PostToolUseFailure', { ...TOOL, error: toolText('error') }),
  errorOccurred: event('StopFailure', { errorContext: errorText('kind'), recoverable: keep, error: failure }),
  agentStop: event('Stop', STOP),
  subagentStart: event('SubagentStart', SUBAGENT),
  subagentStop: event('SubagentStop', { ...SUBAGENT, ...STOP, response: text('message') }),
  preCompact: event('PreCompact', { trigger: text('trigger'), customInstructions: keep }),
  notification: event('Notification', {
    message: notificationText('message'),
    title: notificationText('title'),
    notification_type: notificationText('type'), // also snake_case
  }),
}

/** Events with a second name. The two missing ones have none. */
const PASCAL_NAMES = {
  SessionStart: 'sessionStart',
  SessionEnd: 'sessionEnd',
  UserPromptSubmit: 'userPromptSubmitted',
  PreToolUse: 'preToolUse',
  PermissionRequest: 'permissionRequest', // but with the camelCase payload
  PostToolUse: 'postToolUse',
  PostToolUseFailure: 'postToolUseFailure',
  ErrorOccurred: 'errorOccurred',
  Stop: 'agentStop',
  SubagentStart: 'subagentStart', // with a mix of both
  SubagentStop: 'subagentStop', // its `response` is called last_assistant_message
  PreCompact: 'preCompact',
  Notification: 'notification', // the payload has this name in either case
} as const

/**
 * `PreToolUse` → `preToolUse`, for a camelCase payload although its hook was installed under the other name.
 */
export const CAMEL_NAME: ReadonlyMap<string, string> = new Map(Object.entries(PASCAL_NAMES))

export const COPILOT_COMMON: FieldMappers = { ...COMMON_FIELDS, ...bothSpellings(CAMEL_COMMON) }

/** For reading: each field in both spellings, because some events mix them. */
export const COPILOT_EVENTS: Readonly<Record<string, EventSpec>> = withPascal((spec) => ({
  ...spec,
  fields: bothSpellings(spec.fields),
}))

/** For the docs: each field as it is spelled under that name. */
export const COPILOT_TABLE: Readonly<Record<string, EventSpec>> = withPascal((spec, pascal) =>
  pascal ? { ...spec, fields: snakeSpelling(spec.fields) } : spec,
)

function withPascal(make: (spec: EventSpec, pascal: boolean) => EventSpec): Record<string, EventSpec> {
  const all: Record<string, EventSpec> = {}
  for (const [name, camel] of Object.entries(PASCAL_NAMES)) {
    const spec = CAMEL_EVENTS[camel]
    if (spec) all[name] = make(spec, true)
  }
  for (const [name, spec] of Object.entries(CAMEL_EVENTS)) all[name] = make(spec, false)
  return all
}

function bothSpellings(mappers: FieldMappers): FieldMappers {
  return { ...snakeSpelling(mappers), ...mappers }
}

function snakeSpelling(mappers: FieldMappers): FieldMappers {
  return Object.fromEntries(Object.entries(mappers).map(([name, mapper]) => [toSnakeCase(name), mapper]))
}

function event(type: string, fields: FieldMappers): EventSpec {
  return { type, since: '1.0.102', fields }
}

/** Prompts that Copilot itself writes, e.g. for a background shell that has ended (1.0.102). */
export function isInjected(prompt: string): boolean {
  return prompt.startsWith('<system_notification>')
}
