/**
 * Every hook and bus event of opencode 1.18.33 with its fields. Events without a Claude Code counterpart keep their own
 * name in the same style: `todo.updated` is TodoUpdated. Rows marked `types` were never seen live.
 */
import type { NativeEvent } from '../agent.ts'
import {
  eventName,
  type FieldMapper,
  type FieldMappers,
  flag,
  keep,
  modelObject,
  text,
  toolInput,
  toolResponse,
  toolText,
} from '../fields.ts'
import type { EventSpec } from '../payload.ts'
import {
  callReference,
  contextWindow,
  inside,
  messageInfo,
  messagePart,
  promptParts,
  questionCall,
  questions,
  requestAgent,
  sessionError,
  sessionInfo,
  userMessage,
} from './nested.ts'
import { UNSEEN_BUS_EVENTS } from './schema.ts'

interface Row {
  readonly type: string
  /** Dotted, as in the docs: `input.tool`. */
  readonly names: readonly string[]
  readonly fields: FieldMappers
}

/** Prefix of opencode hooks that are not final. */
const TRIAL = 'experimental.'

const SESSION: FieldMappers = { sessionID: text('sessionId') }
const CALL: FieldMappers = { ...SESSION, tool: toolText('name'), callID: toolText('useId') }
const REQUEST: FieldMappers = {
  ...SESSION,
  agent: requestAgent,
  model: modelObject,
  provider: keep,
  message: keep,
}

/**
 * The plugin adds the last fields: for a child session its root and agent, for a hook its cwd, for a new session whether a
 * prompt created it, and for a model's message the model's context window.
 */
const TOP: FieldMappers = {
  id: keep,
  type: eventName,
  parentID: keep,
  agentType: keep,
  cwd: text('cwd'),
  prompted: flag('prompted'),
  contextWindow,
}

const ROWS: Readonly<Record<string, Row>> = {
  'plugin.init': row('PluginInit', {
    directory: text('cwd'),
    worktree: keep,
    project: keep,
    serverUrl: keep,
  }),
  // The plugin sends one for each session it saw. Without a session, only the plugin ends.
  dispose: row('PluginDispose', SESSION),

  'chat.message': hook(
    'UserPromptSubmit',
    { ...SESSION, agent: keep, model: keep, messageID: keep, variant: keep },
    { message: userMessage, parts: promptParts },
  ),
  'command.execute.before': hook(
    'UserPromptExpansion',
    { ...SESSION, command: keep, arguments: keep },
    { parts: promptParts },
  ),
  'tool.execute.before': hook('PreToolUse', CALL, { args: toolInput }),
  'tool.execute.after': hook('PostToolUse', { ...CALL, args: toolInput }, toolResponse),
  'experimental.session.compacting': hook('PreCompact', SESSION, { context: keep, prompt: keep }),
  'experimental.text.complete': hook(
    'TextComplete',
    { ...SESSION, messageID: keep, partID: keep },
    { text: text('message') },
  ),
  'chat.params': hook('PreModelRequest', REQUEST, {
    temperature: keep,
    topP: keep,
    topK: keep,
    maxOutputTokens: keep,
    options: keep,
  }),
  'chat.headers': hook('ChatHeaders', REQUEST, { headers: keep }),
  'experimental.chat.system.transform': hook(
    'ChatSystemTransform',
    { ...SESSION, model: modelObject },
    { system: keep },
  ),
  'experimental.chat.messages.transform': hook('ChatMessagesTransform', {}, { messages: keep }),
  'tool.definition': hook(
    'ToolDefinition',
    { toolID: keep },
    { description: keep, parameters: keep, jsonSchema: keep },
  ),
  'shell.env': hook('ShellEnv', { ...SESSION, cwd: text('cwd'), callID: keep }, { env: keep }),
  'experimental.compaction.autocontinue': hook(
    'CompactionAutocontinue', // types
    { ...REQUEST, overflow: keep },
    { enabled: keep },
  ),

  'session.created': bus('SessionStart', { info: sessionInfo }),
  // Sent by the plugin: a terminal started with --continue or --session resumed it.
  'session.resumed': bus('SessionStart', { info: sessionInfo }),
  'session.updated': bus('SessionUpdated', { info: sessionInfo }),
  'session.deleted': bus('SessionEnd', { info: sessionInfo }),
  'session.idle': bus('Stop', {}),
  'session.error': bus('StopFailure', { error: sessionError }),
  'session.compacted': bus('PostCompact', {}),
  'session.status': bus('SessionStatus', { status: keep }),
  'session.diff': bus('SessionDiff', { diff: keep }),
  'permission.asked': bus('PermissionRequest', {
    id: keep,
    tool: callReference,
    permission: toolText('name'),
    patterns: keep,
    metadata: toolInput,
    always: keep,
  }),
  'permission.replied': bus('PermissionReplied', { requestID: keep, reply: text('reason') }),
  'question.asked': bus('Notification', { id: keep, tool: questionCall, questions }),
  'question.replied': bus('ElicitationResult', { requestID: keep, answers: keep }),
  'question.rejected': bus('ElicitationResult', { requestID: keep }), // types
  'message.updated': bus('MessageUpdated', { info: messageInfo }),
  'message.part.updated': bus('MessagePartUpdated', { part: messagePart, time: keep }),
  'message.part.delta': bus('MessagePartDelta', { messageID: keep, partID: keep, field: keep, delta: keep }),
  'command.executed': bus('CommandExecuted', { name: keep, arguments: keep, messageID: keep }),
  'todo.updated': bus('TodoUpdated', { todos: keep }),
  'file.edited': bus('FileEdited', { file: keep }),
  'file.watcher.updated': bus('FileWatcherUpdated', { file: keep, event: keep }),
  'plugin.added': bus('PluginAdded', { id: keep }),
  'catalog.updated': bus('CatalogUpdated', {}),
  'reference.updated': bus('ReferenceUpdated', {}),
  'integration.updated': bus('IntegrationUpdated', {}),
  'session.drained': bus('SessionDrained', { token: keep }), // Kilo Code 7.7.7 only
  ...Object.fromEntries(
    Object.entries(UNSEEN_BUS_EVENTS).map(([name, properties]) => [
      name,
      bus(typeOf(name), Object.fromEntries(properties.split(' ').map((property) => [property, keep]))),
    ]),
  ),
}

export const OPENCODE_COMMON: FieldMappers = {
  ...TOP,
  properties: inside('properties', SESSION),
  input: inside('input', SESSION),
  output: keep,
}

export const OPENCODE_EVENTS: Readonly<Record<string, EventSpec>> = ROWS

export const OPENCODE_TABLE: Readonly<Record<string, NativeEvent>> = Object.fromEntries(
  Object.entries(ROWS).map(([name, { type, names }]) => [name, { type, fields: names, since: '1.18.33' }]),
)

/**
 * `message.part.delta` → `MessagePartDelta`. A type must not contain dots: it is the last token of a subject on the bus.
 */
export function typeOf(name: string): string {
  let type = ''
  let starts = true
  for (const char of name.startsWith(TRIAL) ? name.slice(TRIAL.length) : name) {
    const separates = char === '.' || char === '-' || char === '_' || char === ':'
    if (!separates) type += starts ? char.toUpperCase() : char
    starts = separates
  }
  return type
}

function row(type: string, fields: FieldMappers): Row {
  return { type, names: Object.keys(fields), fields }
}

function bus(type: string, properties: FieldMappers): Row {
  const all = { ...SESSION, ...properties }
  return { type, names: dotted('properties', all), fields: { properties: inside('properties', all) } }
}

function hook(type: string, input: FieldMappers, output: FieldMappers | FieldMapper): Row {
  const names = dotted('input', input)
  const fields = { input: inside('input', input) }
  if (typeof output === 'function')
    return { type, names: [...names, 'output'], fields: { ...fields, output } }
  return {
    type,
    names: [...names, ...dotted('output', output)],
    fields: { ...fields, output: inside('output', output) },
  }
}

function dotted(path: string, mappers: FieldMappers): string[] {
  return Object.keys(mappers)
    .filter((name) => name !== '')
    .map((name) => `${path}.${name}`)
}
