/** Codex's rollout (0.166.0): `$CODEX_HOME/sessions/<date>/rollout-*.jsonl`. */
import { join } from 'node:path'
import { numberOf, objectOf, parseLine, type TranscriptReader, timeOf } from '../transcript.ts'

export const codexTranscript: TranscriptReader = {
  read(text) {
    const line = parseLine(text)
    const payload = objectOf(line?.payload)
    if (!line || !payload || line.type !== 'event_msg') return []
    const at = timeOf(line.timestamp)
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
      case 'token_count': {
        const info = objectOf(payload.info)
        const contextTokens = numberOf(objectOf(info?.last_token_usage)?.total_tokens)
        const contextWindow = numberOf(info?.model_context_window)
        if (contextTokens === 0) return []
        return [{ kind: 'usage', at, contextTokens, ...(contextWindow > 0 ? { contextWindow } : {}) }]
      }
      default:
        return []
    }
  },
  roots: (env, home) => [join(env.CODEX_HOME || join(home, '.codex'), 'sessions')],
}
