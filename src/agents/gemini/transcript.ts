/** Gemini CLI's chat log (0.61.0): `~/.gemini/tmp/<project>/chats/session-*.jsonl`. A message is written again as it grows. */
import { join } from 'node:path'
import {
  numberOf,
  objectOf,
  parseLine,
  type TranscriptFact,
  type TranscriptReader,
  timeOf,
} from '../transcript.ts'

export const geminiTranscript: TranscriptReader = {
  read(text) {
    const line = parseLine(text)
    if (!line) return []
    const at = timeOf(line.timestamp)
    if (line.type === 'error') {
      return [
        {
          kind: 'turn-error',
          at,
          says: 'error message',
          error: String(line.content ?? 'unknown').slice(0, 200),
        },
      ]
    }
    if (line.type === 'info' && /cancel/i.test(String(line.content ?? ''))) {
      return [{ kind: 'interrupt', at, says: String(line.content).slice(0, 100) }]
    }
    return line.type === 'gemini' ? [...cancelled(line.toolCalls), ...used(line, at)] : []
  },
  roots: (env, home) => [join(env.GEMINI_CLI_HOME || home, '.gemini', 'tmp')],
}

/** A confirmation that was cancelled fires no hook; the call's status tells. */
function cancelled(calls: unknown): TranscriptFact[] {
  if (!Array.isArray(calls)) return []
  const call = calls.map(objectOf).find((one) => one?.status === 'cancelled')
  if (!call) return []
  const says = `tool call ${String(call.name ?? '')} cancelled`
  return [{ kind: 'interrupt', at: timeOf(call.timestamp), says }]
}

function used(line: Readonly<Record<string, unknown>>, at: number): TranscriptFact[] {
  const contextTokens = numberOf(objectOf(line.tokens)?.total)
  return contextTokens > 0 ? [{ kind: 'usage', at, contextTokens }] : []
}
