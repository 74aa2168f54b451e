/** Counts of tokens and money, out of whatever object the agent reports them in. */
import { type Draft, isFiniteNumber } from '../fields.ts'
import type { Payload } from '../payload.ts'

type Usage = NonNullable<Draft['usage']>

export function usageOf(draft: Draft): Usage {
  draft.usage ??= {}
  return draft.usage
}

/** Tokens or dollars; a larger value is a mistake and would spoil the sums. */
const MAX_COUNT = 1e12

/** Accepts absent and null; false for a value that is not a valid number. */
export function takeNumber(usage: Usage, key: keyof Usage, value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (!isFiniteNumber(value)) return false
  if (key === 'contextPct') {
    usage[key] = Math.min(100, Math.max(0, value))
    return true
  }
  if (!isCount(value)) return false
  usage[key] = value
  return true
}

/** One part of a sum: 0 if it is not a valid count. */
export function countOf(value: unknown): number {
  return isCount(value) ? value : 0
}

function isCount(value: unknown): value is number {
  return isFiniteNumber(value) && value >= 0 && value <= MAX_COUNT
}

/**
 * The counts of one model request. `input` names the count of the whole prompt including cached parts: that is what the
 * request put into the context window.
 */
export function takeRequestCounts(draft: Draft, counts: Payload, input: string, output: string): boolean {
  const usage = usageOf(draft)
  const fits = takeNumber(usage, 'inputTokens', counts[input])
  if (usage.inputTokens !== undefined) usage.contextTokens = usage.inputTokens
  return takeNumber(usage, 'outputTokens', counts[output]) && fits
}
