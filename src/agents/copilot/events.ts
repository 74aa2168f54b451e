/**
 * Every hook event of Copilot CLI 1.0.102 with its own fields. A hook has one of two names in Copilot's
 * settings, and the name chooses the payload: `preToolUse` gets camelCase, `PreToolUse` what Claude Code
 * would send, more or less. All were seen live but `preMcpToolCall`, `preCompact` and what only the SDK's
 * types name, which is marked.
 */

import {
  COMMON_FIELDS,
  errorText,
  eventName,
  flag,
  keep,
  notificationText,
  type Places,
  text,
  toolInput,
  toolText,
} from '../fields.ts'
import { type EventSpec, toSnakeCase } from '../payload.ts'
import { failure, permissionTool, toolResult } from './nested.ts'

const CAMEL_COMMON: Places = {
  sessionId: text('sessionId'),
  timestamp: keep, // of the agent's clock; milliseconds here, ISO with PascalCase names
  cwd: text('cwd'),
  workingDirectory: text('cwd'), // types
  transcriptPath: text('transcriptPath'),
  hookName: eventName,
  agentId: text('agentId'),
  agentType: text('agentType'),
  agentName: keep, // the type once more, and never an id as it is with other agents
  parentAgentId: keep,
}

const TOOL: Places = { toolName: toolText('name'), toolArgs: toolInput }
const STOP: Places = {
  stopReason: text('reason'),
  stop_hook_active: flag('stopHookActive'), // snake_case even among camelCase
  stopHookActive: flag('stopHookActive'), // types
}
const SUBAGENT: Places = { agentDisplayName: keep, agentDescription: keep } // types

const CAMEL_EVENTS: Readonly<Record<string, EventSpec>> = {
  // In a terminal it comes with the first prompt, and not before.
  sessionStart: event('SessionStart', { source: text('source'), initialPrompt: text('prompt') }),
  sessionEnd: event('SessionEnd', {
    reason: text('reason'),
    finalMessage: text('message'), // types
    error: keep, // types
  }),
  userPromptSubmitted: event('UserPromptSubmit', { prompt: text('prompt') }),
  // Not Claude's UserPromptExpansion, which is a slash command at work and can be refused: this one comes
  // after every prompt, with the text as the model gets it.
  userPromptTransformed: event('UserPromptTransformed', { prompt: text('prompt'), transformedPrompt: keep }),
  preToolUse: event('PreToolUse', TOOL),
  permissionRequest: event('PermissionRequest', {
    toolName: permissionTool,
    toolInput,
    permissionSuggestions: keep,
  }),
  // Comes between preToolUse and the call, for the tools of MCP servers alone.
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
    notification_type: notificationText('type'), // snake_case, too
  }),
}

/** The other name of an event. The two that are not here have none. */
const PASCAL_NAMES = {
  SessionStart: 'sessionStart',
  SessionEnd: 'sessionEnd',
  UserPromptSubmit: 'userPromptSubmitted',
  PreToolUse: 'preToolUse',
  PermissionRequest: 'permissionRequest', // has the camelCase payload all the same
  PostToolUse: 'postToolUse',
  PostToolUseFailure: 'postToolUseFailure',
  ErrorOccurred: 'errorOccurred',
  Stop: 'agentStop',
  SubagentStart: 'subagentStart', // has half of each
  SubagentStop: 'subagentStop', // its `response` is last_assistant_message
  PreCompact: 'preCompact',
  Notification: 'notification', // the name in the payload in either case
} as const

/**
 * `PreToolUse` → `preToolUse`, for a payload that is camelCase though its hook was wired under the other
 * name.
 */
export const CAMEL_NAME: ReadonlyMap<string, string> = new Map(Object.entries(PASCAL_NAMES))

export const COPILOT_COMMON: Places = { ...COMMON_FIELDS, ...bothSpellings(CAMEL_COMMON) }

/** What is read: each field in both spellings, since some events mix them. */
export const COPILOT_EVENTS: Readonly<Record<string, EventSpec>> = withPascal((spec) => ({
  ...spec,
  fields: bothSpellings(spec.fields),
}))

/** What is shown in the docs: each field as it is spelled under that name. */
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

function bothSpellings(places: Places): Places {
  return { ...snakeSpelling(places), ...places }
}

function snakeSpelling(places: Places): Places {
  return Object.fromEntries(Object.entries(places).map(([name, place]) => [toSnakeCase(name), place]))
}

function event(type: string, fields: Places): EventSpec {
  return { type, since: '1.0.102', fields }
}
