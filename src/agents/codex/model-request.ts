/**
 * The outcome of a model request. If it fails for good, Codex 0.166.0 sends no Stop: only the failed PostModelRequest shows
 * that the turn is over, so it becomes a StopFailure.
 */
import { isObject } from '../../core/is-object.ts'
import { type FieldMapper, nullable } from '../fields.ts'
import { takeRequestCounts } from '../transcripts/usage.ts'

/** How much of the error is searched for its kind; the whole text is kept. */
const KIND_CHARS = 2_000

/**
 * Maps OpenAI's error texts to Claude Code's error kinds. The first match counts, because `invalid_request_error` appears
 * beside most of the others.
 */
const KINDS: readonly (readonly [RegExp, kind: string])[] = [
  [/insufficient_quota|billing|credit balance/i, 'billing_error'],
  [/rate.?limit|usage.?limit|too many requests/i, 'rate_limit'],
  [/unauthori[sz]ed|authentication|api.?key/i, 'authentication_failed'],
  [/model_not_found|model does not exist/i, 'model_not_found'],
  [/overloaded|at capacity/i, 'overloaded'],
  [/server.?error|bad gateway|service unavailable|status (?:code )?5\d\d\b/i, 'server_error'],
  [/invalid_request|context_length_exceeded|context window|bad request/i, 'invalid_request'],
]

export const requestStatus: FieldMapper = (draft, value) => {
  if (typeof value !== 'string') return 'wrong'
  if (value === 'failed') {
    draft.type = 'StopFailure'
    draft.error ??= { kind: 'unknown' }
  }
  return 'kept'
}

/** The response body as text: `{"error":{"message":"…","type":"server_error","code":"…"}}`. */
export const requestError: FieldMapper = nullable((draft, value) => {
  if (typeof value !== 'string') return 'wrong'
  draft.error = { kind: kindOf(value), message: value }
  return 'mapped'
})

/** Null if the request failed. `input_tokens` includes cached ones. */
export const tokenUsage: FieldMapper = nullable((draft, value) => {
  if (!isObject(value)) return 'wrong'
  return takeRequestCounts(draft, value, 'input_tokens', 'output_tokens') ? 'kept' : 'wrong'
})

function kindOf(error: string): string {
  const words = error.slice(0, KIND_CHARS)
  return KINDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'unknown'
}
