/**
 * Copilot CLI's session log (1.0.102): `~/.copilot/session-state/<session>/events.jsonl`, written 0.1 s after the fact.
 * Sub-agents' lines are in the same file, with their id. After an Esc that returns the prompt for editing, a new file
 * without that turn replaces it.
 */
import { join } from 'node:path'
import {
  errorOf,
  type JsonLine,
  listOf,
  numberOf,
  objectOf,
  parseLine,
  type TranscriptFact,
  type TranscriptReader,
  timeOf,
} from '../transcripts/transcript.ts'
import { isInjected } from './events.ts'
import { copilotMessages } from './messages.ts'
import { SESSION_ID } from './presence.ts'

export const copilotTranscript: TranscriptReader = {
  read(text) {
    const line = parseLine(text)
    const data = objectOf(line?.data)
    if (!line || !data) return []
    const at = timeOf(line.timestamp)
    // A dialog counts, whoever asks.
    const asked = permissionIn(line.type, data, at)
    if (asked) return asked
    return line.agentId === undefined ? said(line.type, data, at) : []
  },
  messages: copilotMessages,
  roots: (env, home) => [stateFolder(env, home)],
  find: (sessionId, env, home) =>
    SESSION_ID.test(sessionId) ? join(stateFolder(env, home), sessionId, 'events.jsonl') : undefined,
  errorsUnhooked: true,
  tellsModel: true,
}

function stateFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(env.COPILOT_HOME || join(home, '.copilot'), 'session-state')
}

function said(type: unknown, data: JsonLine, at: number): TranscriptFact[] {
  switch (type) {
    case 'user.message':
      return prompted(data, at)
    case 'assistant.message':
      return answered(data, at)
    case 'tool.execution_start':
      return begun(data, at)
    case 'tool.execution_complete':
      return ended(data, at)
    case 'abort':
      return [{ kind: 'interrupt', at, says: `abort ${String(data.reason ?? '')}`.trim() }]
    case 'session.usage_checkpoint':
      return isRewound(data) ? [{ kind: 'interrupt', at, says: 'the turn was rewound' }] : []
    case 'session.error':
      return [failed(data, at)]
    case 'session.usage_record':
      return used(objectOf(data.usage), at)
    default:
      return []
  }
}

/** Only requests put to a person: decisions of rules and hooks are not logged. */
function permissionIn(type: unknown, data: JsonLine, at: number): TranscriptFact[] | undefined {
  const { requestId: id } = data
  if (typeof id !== 'string') return undefined
  if (type === 'permission.requested') return [{ kind: 'permission-asked', at, id }]
  if (type !== 'permission.completed') return undefined
  const useId = typeof data.toolCallId === 'string' ? { useId: data.toolCallId } : {}
  return [{ kind: 'permission-answered', at, id, ...useId, outcome: outcomeOf(objectOf(data.result)?.kind) }]
}

/** `approved`, `approved-for-session` and the like; `denied-interactively-by-user`; `cancelled` with its turn. */
function outcomeOf(kind: unknown): 'allowed' | 'denied' | 'cancelled' {
  const word = String(kind)
  if (word.startsWith('approved')) return 'allowed'
  return word.startsWith('denied') ? 'denied' : 'cancelled'
}

function prompted({ content }: JsonLine, at: number): TranscriptFact[] {
  if (typeof content !== 'string' || content.trim() === '' || isInjected(content)) return []
  return [{ kind: 'prompt', at, text: content }]
}

/** With tool requests, the text is only a remark before them; the calls have their own lines. */
function answered({ content, toolRequests }: JsonLine, at: number): TranscriptFact[] {
  if (listOf(toolRequests).length > 0) return []
  const message = typeof content === 'string' && content !== '' ? { message: content } : {}
  return [{ kind: 'answer', at, ...message, final: true }]
}

function begun(
  { toolCallId: useId, toolName: name, arguments: input }: JsonLine,
  at: number,
): TranscriptFact[] {
  if (typeof useId !== 'string' || typeof name !== 'string') return []
  return [{ kind: 'tool-start', at, useId, name, input }]
}

function ended({ toolCallId: useId, success, error }: JsonLine, at: number): TranscriptFact[] {
  if (typeof useId !== 'string') return []
  if (success === true) return [{ kind: 'tool-end', at, useId, outcome: 'ok' }]
  const { code, message } = objectOf(error) ?? {}
  const outcome = code === 'denied' || code === 'rejected' ? 'denied' : 'error'
  return [{ kind: 'tool-end', at, useId, outcome, error: errorOf(String(message ?? '')) }]
}

/** After Esc twice before the first answer, no line reports the end of the turn, but the cache state names the reason. */
function isRewound({ promptCacheBreakState }: JsonLine): boolean {
  return listOf(promptCacheBreakState).some(
    ({ conversation, pendingRewriteSources: sources }) =>
      conversation === 'main' && Array.isArray(sources) && sources.includes('rewind'),
  )
}

/** The final failure of a request; only hooks report retried ones. */
function failed({ errorType, statusCode, message }: JsonLine, at: number): TranscriptFact {
  const error = ERRORS.get(String(errorType)) ?? errorByStatus(numberOf(statusCode)) ?? 'unknown'
  const words = typeof message === 'string' ? { message: errorOf(message) } : {}
  return { kind: 'turn-error', at, says: 'session.error', error, ...words }
}

/** Maps Copilot's error types to Claude Code's kinds. Most are of type `query`; then the status tells more. */
const ERRORS: ReadonlyMap<string, string> = new Map([
  ['rate_limit', 'rate_limit'],
  ['quota', 'billing_error'],
  ['authentication', 'authentication_failed'],
  ['authorization', 'authentication_failed'],
  ['context_limit', 'invalid_request'],
])

function errorByStatus(status: number): string | undefined {
  if (status === 429) return 'rate_limit'
  if (status === 401 || status === 403) return 'authentication_failed'
  if (status >= 500) return 'server_error'
  return status >= 400 ? 'invalid_request' : undefined
}

function used(usage: JsonLine | undefined, at: number): TranscriptFact[] {
  const contextTokens = numberOf(usage?.inputTokens) + numberOf(usage?.outputTokens)
  if (contextTokens === 0) return []
  const contextWindow = numberOf(usage?.maxPromptTokens)
  return [
    {
      kind: 'usage',
      at,
      contextTokens,
      ...(contextWindow > 0 ? { contextWindow } : {}),
      ...(typeof usage?.model === 'string' ? { model: usage.model } : {}),
    },
  ]
}
