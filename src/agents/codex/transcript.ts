/** Codex's rollout (0.166.0): `$CODEX_HOME/sessions/<date>/rollout-*.jsonl`. */
import { join } from 'node:path'
import {
  type JsonLine,
  numberOf,
  objectOf,
  parseLine,
  type TranscriptFact,
  type TranscriptReader,
  textsOf,
  timeOf,
  type Whose,
} from '../transcripts/transcript.ts'
import { findVersion } from '../versions.ts'
import { codexMessages, codexOrigin } from './messages.ts'
import { isInjected } from './notify.ts'
import { callIn } from './rollout-calls.ts'

export const codexTranscript: TranscriptReader = {
  read(text) {
    const line = parseLine(text)
    const payload = objectOf(line?.payload)
    if (!line || !payload) return []
    const at = timeOf(line.timestamp)
    if (line.type === 'response_item') return callIn(payload, at)
    if (line.type === 'session_meta') return writtenBy(payload, at)
    return line.type === 'event_msg' ? said(payload, at) : []
  },
  places: { folders: [/^\d{4}$/, /^\d\d$/, /^\d\d$/], whose },
  messages: codexMessages,
  origin: codexOrigin,
  roots: (env, home) => [join(env.CODEX_HOME || join(home, '.codex'), 'sessions')],
}

/** The first line. A sub-agent has a rollout of its own, but its hooks name the root session, and so does this. */
function whose(text: string): Whose | undefined {
  const line = parseLine(text)
  const meta = line?.type === 'session_meta' ? objectOf(line.payload) : undefined
  const { id, session_id: sessionId = id, cwd } = meta ?? {}
  if (typeof sessionId !== 'string') return undefined
  return { sessionId, ...(typeof cwd === 'string' ? { cwd } : {}) }
}

/** The first line. Hooks and their environment do not have the version (0.166.0). */
function writtenBy({ cli_version: version }: JsonLine, at: number): TranscriptFact[] {
  return typeof version === 'string' && findVersion(version) === version
    ? [{ kind: 'version', at, version }]
    : []
}

function said(payload: JsonLine, at: number): TranscriptFact[] {
  switch (payload.type) {
    case 'turn_aborted':
      return [{ kind: 'interrupt', at, says: `turn_aborted ${String(payload.reason ?? '')}`.trim() }]
    case 'task_complete': {
      const message = payload.last_agent_message
      return [
        {
          kind: 'turn-end',
          at,
          says: 'task_complete',
          ...(typeof message === 'string' ? { message } : {}),
        },
      ]
    }
    case 'error':
      return [
        {
          kind: 'turn-error',
          at,
          says: 'error',
          error: String(payload.message ?? 'unknown').slice(0, 200),
        },
      ]
    case 'token_count':
      return used(objectOf(payload.info), at)
    case 'item_completed':
      return completed(objectOf(payload.item), at)
    default:
      return []
  }
}

function completed(item: JsonLine | undefined, at: number): TranscriptFact[] {
  if (item?.type === 'UserMessage') {
    const text = textsOf(item.content).join('\n')
    return text.trim() === '' || isInjected(text) ? [] : [{ kind: 'prompt', at, text }]
  }
  // A command that outlived the call that started it.
  if (item?.type === 'CommandExecution' && typeof item.id === 'string')
    return [{ kind: 'tool-end', at, useId: item.id, outcome: 'ok' }]
  return []
}

function used(info: JsonLine | undefined, at: number): TranscriptFact[] {
  const contextTokens = numberOf(objectOf(info?.last_token_usage)?.total_tokens)
  const contextWindow = numberOf(info?.model_context_window)
  if (contextTokens === 0) return []
  return [{ kind: 'usage', at, contextTokens, ...(contextWindow > 0 ? { contextWindow } : {}) }]
}
