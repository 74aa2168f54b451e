/** Gemini CLI's chat log (0.61.0): `~/.gemini/tmp/<project>/chats/session-*.jsonl`. A message is rewritten as it grows. */
import { dirname, join } from 'node:path'
import {
  errorOf,
  type JsonLine,
  listOf,
  numberOf,
  objectOf,
  parseLine,
  type TranscriptFact,
  type TranscriptReader,
  textsOf,
  timeOf,
  type Whose,
} from '../transcripts/transcript.ts'
import { geminiMessages } from './messages.ts'
import { isSessionContext, promptIn } from './prompt.ts'

const CONTEXT_WINDOW = 1_048_576 // tokens of every Gemini model (bundle)

export const geminiTranscript: TranscriptReader = {
  read(text) {
    const line = parseLine(text)
    if (!line) return []
    const at = timeOf(line.timestamp)
    switch (line.type) {
      case 'user':
        return asked(line, at)
      case 'gemini':
        return [...cancelled(line.toolCalls), ...used(line, at), ...called(line, at), ...answered(line, at)]
      case 'error':
        return failed(String(line.content ?? ''), at)
      case 'info':
        return /cancel/i.test(String(line.content ?? ''))
          ? [{ kind: 'interrupt', at, says: String(line.content).slice(0, 100) }]
          : []
      default:
        return []
    }
  },
  reading: withoutRepeats,
  errorsUnhooked: true,
  places: { folders: [/./, /^chats$/], whose, isErrorUnsure: true },
  messages: geminiMessages,
  sides: (path, sessionId) => join(dirname(path), sessionId),
  roots: (env, home) => [join(env.GEMINI_CLI_HOME || home, '.gemini', 'tmp')],
}

/** The first line names the session; the session context, which follows, its folder. */
function whose(text: string): Whose | undefined {
  const line = parseLine(text)
  if (typeof line?.sessionId === 'string') return { sessionId: line.sessionId }
  const cwd = /\*\*Workspace Directories:\*\*\\n\s*- (\/[^\\"]+)/.exec(text)?.[1]
  return cwd === undefined ? undefined : { cwd }
}

const REWRITTEN = /^\{"\$set":\s*\{"messages"/
const REPEAT_PAUSE_MS = 1_000 // repeats are written in one go; a person takes longer to ask

/**
 * After Esc, 0.61.0 writes the whole conversation again, message by message with the current time, and then as one list.
 * The repetition starts with the session context, which has its own line only then.
 */
function withoutRepeats(): (text: string) => TranscriptFact[] {
  let until = 0
  return (text) => {
    if (REWRITTEN.test(text)) until = 0
    const line = parseLine(text)
    if (line?.type !== 'user') return geminiTranscript.read(text)
    const at = timeOf(line.timestamp)
    if (at > until && !isSessionContext(line)) return geminiTranscript.read(text)
    until = at + REPEAT_PAUSE_MS
    return []
  }
}

const ERRORS: readonly [kind: string, says: RegExp][] = [
  ['rate_limit', /\b429\b|RESOURCE_EXHAUSTED|rate.limit|quota/i],
  ['authentication_failed', /\b40[13]\b|UNAUTHENTICATED|PERMISSION_DENIED|API key/],
  ['invalid_request', /\b400\b|INVALID_ARGUMENT|invalid_request/],
  ['server_error', /\b5\d\d\b|INTERNAL|UNAVAILABLE/],
]

/** `[API Error: …]` with the server's message. Other errors belong to commands and do not end a turn. */
function failed(content: string, at: number): TranscriptFact[] {
  if (!content.startsWith('[API Error')) return []
  const error = ERRORS.find(([, says]) => says.test(content))?.[0] ?? 'unknown'
  return [{ kind: 'turn-error', at, says: 'error message', error, message: errorOf(content) }]
}

function asked(line: JsonLine, at: number): TranscriptFact[] {
  const text = promptIn(line)
  return text === undefined ? [] : [{ kind: 'prompt', at, text }]
}

/** Only ended calls are logged, so start and end become known at once. */
function called(line: JsonLine, at: number): TranscriptFact[] {
  return listOf(line.toolCalls).flatMap((call): TranscriptFact[] => {
    const { id: useId, name, args: input, status } = call
    if (typeof useId !== 'string' || typeof name !== 'string') return []
    const start: TranscriptFact = { kind: 'tool-start', at, useId, name, input }
    const end = { kind: 'tool-end', at: timeOf(call.timestamp), useId } as const
    if (status === 'success') return [start, { ...end, outcome: 'ok' }]
    if (status === 'error') return [start, { ...end, outcome: 'error', error: failure(call) }]
    return [] // a cancelled call is logged after the turn that ended with it
  })
}

function failure(call: JsonLine): string {
  const [result] = listOf(call.result)
  const error = objectOf(objectOf(result?.functionResponse)?.response)?.error
  return errorOf(typeof error === 'string' ? error : '')
}

/** Calls are logged only once they have ended, so an answer cannot be told from a remark before a call. */
function answered(line: JsonLine, at: number): TranscriptFact[] {
  const message = typeof line.content === 'string' ? line.content : textsOf(line.content).join('')
  // Without a model, the line repeats an earlier message.
  if (message.trim() === '' || listOf(line.toolCalls).length > 0 || line.model === undefined) return []
  return [{ kind: 'answer', at, message, final: false }]
}

/** A cancelled confirmation triggers no hook; the call's status shows it. */
function cancelled(calls: unknown): TranscriptFact[] {
  const call = listOf(calls).find(({ status }) => status === 'cancelled')
  if (!call) return []
  const says = `tool call ${String(call.name ?? '')} cancelled`
  return [{ kind: 'interrupt', at: timeOf(call.timestamp), says }]
}

function used(line: JsonLine, at: number): TranscriptFact[] {
  const contextTokens = numberOf(objectOf(line.tokens)?.total)
  if (contextTokens === 0) return []
  const isGemma = String(line.model ?? '').startsWith('gemma') // smaller, with a table of its own
  return [{ kind: 'usage', at, contextTokens, ...(isGemma ? {} : { contextWindow: CONTEXT_WINDOW }) }]
}
