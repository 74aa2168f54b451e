/**
 * opencode's payloads have two levels: `{input, output}` for a hook, `{id, type, properties}` for a bus event. The needed
 * parts go to canonical fields; an object that holds more stays whole in `fields`.
 */
import { isObject } from '../../core/is-object.ts'
import {
  type Draft,
  type FieldMapper,
  type FieldMappers,
  isFiniteNumber,
  type Outcome,
  toolOf,
} from '../fields.ts'
import { markUnknown, type Payload, typeName } from '../payload.ts'
import { countOf, takeNumber, usageOf } from '../transcripts/usage.ts'

/** Maps the fields of the object at `path`; unknown ones are reported as `properties.mood`. */
export function inside(path: string, mappers: FieldMappers): FieldMapper {
  const known = new Map(Object.entries(mappers))
  return (draft, value) => {
    if (!isObject(value)) return 'wrong'
    const keys = Object.keys(value)
    let whole: Outcome = keys.length > 0 ? 'mapped' : 'kept'
    for (const key of keys) {
      const outcome = known.get(key)?.(draft, value[key])
      if (outcome === 'mapped') continue
      whole = 'kept'
      if (outcome === 'kept') continue
      markUnknown(draft, outcome === 'wrong' ? `${path}.${key}:${typeName(value[key])}` : `${path}.${key}`)
    }
    return whole
  }
}

/**
 * `info` of session events: the session as opencode stores it. Its tokens are the sum of all requests, so they do not tell
 * how full the context window is.
 */
export const sessionInfo: FieldMapper = (draft, value) => {
  if (!isObject(value)) return 'wrong'
  // Older versions have no sessionID beside it (SDK v1).
  if (draft.sessionId === '' && typeof value.id === 'string') draft.sessionId = value.id
  if (typeof value.version === 'string') draft.agentVersion = value.version
  if (typeof value.directory === 'string') draft.cwd = value.directory
  if (isObject(value.model) && typeof value.model.id === 'string') draft.model = value.model.id
  if (value.cost === undefined) return 'kept'
  return takeNumber(usageOf(draft), 'costUsd', value.cost) ? 'kept' : 'wrong'
}

/**
 * `info` of message.updated: a message of the person or the model; the model's has the tokens of its request.
 */
export const messageInfo: FieldMapper = (draft, value) => {
  if (!isObject(value)) return 'wrong'
  const { model, modelID, path, tokens } = value
  const id = modelID ?? (isObject(model) ? model.modelID : undefined)
  if (typeof id === 'string') draft.model = id
  if (isObject(path) && typeof path.cwd === 'string') draft.cwd = path.cwd
  const inWindow = isObject(tokens) ? contextTokens(tokens) : 0
  if (inWindow > 0) usageOf(draft).contextTokens = inWindow
  return 'kept'
}

/** The model's context window, added by the plugin. */
export const contextWindow: FieldMapper = (draft, value) => {
  if (!isFiniteNumber(value) || value <= 0) return 'wrong'
  const { contextTokens: inWindow } = draft.usage ?? {}
  if (inWindow !== undefined) usageOf(draft).contextPct = Math.min(100, (100 * inWindow) / value)
  return 'kept'
}

/** The message of chat.message; the model's messages refer to its id. */
export const userMessage: FieldMapper = (draft, value) => {
  if (!isObject(value)) return 'wrong'
  if (typeof value.id === 'string') draft.turnId = value.id
  return messageInfo(draft, value)
}

/**
 * What the person typed. opencode itself adds `synthetic` parts, such as the content of a named file.
 */
export const promptParts: FieldMapper = (draft, value) => {
  if (!Array.isArray(value)) return 'wrong'
  const typed = textOf(value, false)
  const prompt = typed ?? textOf(value, true)
  if (prompt === undefined) return 'kept'
  draft.prompt = prompt
  if (typed === undefined) draft.promptInjected = true
  return 'kept'
}

/**
 * tool.execute.after never comes for a tool that failed, was denied or was interrupted; this part shows it.
 */
export const messagePart: FieldMapper = (draft, value) => {
  if (!isObject(value)) return 'wrong'
  const { state } = value
  if (value.type !== 'tool' || !isObject(state) || state.status !== 'error') return 'kept'
  draft.type = 'PostToolUseFailure'
  const tool = toolOf(draft)
  if (typeof value.tool === 'string') tool.name = value.tool
  tool.input = state.input
  if (typeof value.callID === 'string') tool.useId = value.callID
  if (typeof state.error === 'string') tool.error = state.error
  if (isObject(state.metadata) && state.metadata.interrupted === true) tool.interrupted = true
  const duration = durationOf(state.time)
  if (duration !== undefined) tool.durationMs = duration
  return 'kept'
}

/** `{messageID, callID}` of the tool that a permission is for. */
export const callReference: FieldMapper = (draft, value) => {
  if (!isObject(value)) return 'wrong'
  if (typeof value.callID === 'string') toolOf(draft).useId = value.callID
  return 'kept'
}

/** `{name, data: {message}}`. A person's Esc is an error, too. */
export const sessionError: FieldMapper = (draft, value) => {
  if (!isObject(value) || typeof value.name !== 'string') return 'wrong'
  if (value.name === 'MessageAbortedError') {
    draft.type = 'Interrupt'
    return 'kept'
  }
  draft.error = { kind: value.name }
  if (isObject(value.data) && typeof value.data.message === 'string') draft.error.message = value.data.message
  return 'kept'
}

/** A question is a tool of that name; the call is open until it is answered. */
export const questionCall: FieldMapper = (draft, value) => {
  toolOf(draft).name = 'question'
  return callReference(draft, value)
}

/** Shows only the first question. The dialog is open until question.replied or question.rejected. */
export const questions: FieldMapper = (draft, value) => {
  if (!Array.isArray(value)) return 'wrong'
  const [first] = value
  draft.notification = { type: 'elicitation_dialog' }
  if (!isObject(first)) return 'kept'
  if (typeof first.question === 'string') draft.notification.message = first.question
  if (typeof first.header === 'string') draft.notification.title = first.header
  return 'kept'
}

/**
 * Before its first request, every session makes one with the `agent` `title`, to name the session.
 */
export const requestAgent: FieldMapper = (draft, value) => {
  if (typeof value !== 'string') return 'wrong'
  if (value === 'title') draft.hidden = 'title-request'
  return 'kept'
}

function textOf(parts: readonly unknown[], synthetic: boolean): string | undefined {
  let whole: string | undefined
  for (const part of parts) {
    if (!isObject(part) || part.type !== 'text' || typeof part.text !== 'string') continue
    if ((part.synthetic === true) !== synthetic) continue
    whole = whole === undefined ? part.text : `${whole}\n${part.text}`
  }
  return whole
}

/** As opencode's own screen counts: the prompt, and the answer, which is part of the next prompt. */
function contextTokens({ input, output, reasoning, cache }: Payload): number {
  const cached = isObject(cache) ? countOf(cache.read) + countOf(cache.write) : 0
  return countOf(input) + countOf(output) + countOf(reasoning) + cached
}

function durationOf(time: unknown): Draft['at'] | undefined {
  if (!isObject(time) || !isFiniteNumber(time.start) || !isFiniteNumber(time.end)) return undefined
  return Math.max(0, time.end - time.start)
}
