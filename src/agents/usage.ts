/** Counts of tokens and money, out of whatever object the agent reports them in. */

import { type Draft, isFiniteNumber } from './fields.ts'
import type { Payload } from './payload.ts'

export type Usage = NonNullable<Draft['usage']>

export function usageOf(draft: Draft): Usage {
  draft.usage ??= {}
  return draft.usage
}

/** Of tokens or dollars; more is a mistake, and sums of it would be no numbers any more. */
const MAX_COUNT = 1e12

/** Absent and null are fine; false for anything else that is no number, or cannot be one of these. */
export function takeNumber(usage: Usage, slot: keyof Usage, value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (!isFiniteNumber(value)) return false
  if (slot === 'contextPct') {
    usage[slot] = Math.min(100, Math.max(0, value))
    return true
  }
  if (!isCount(value)) return false
  usage[slot] = value
  return true
}

/** One part of a sum: 0 for whatever is no count. */
export function countOf(value: unknown): number {
  return isCount(value) ? value : 0
}

function isCount(value: unknown): value is number {
  return isFiniteNumber(value) && value >= 0 && value <= MAX_COUNT
}

/**
 * The counts of one model request. `input` is the name of the whole prompt's count, cached parts included: that is
 * what the request put into the window.
 */
export function takeRequestCounts(draft: Draft, counts: Payload, input: string, output: string): boolean {
  const usage = usageOf(draft)
  const fits = takeNumber(usage, 'inputTokens', counts[input])
  if (usage.inputTokens !== undefined) usage.contextTokens = usage.inputTokens
  return takeNumber(usage, 'outputTokens', counts[output]) && fits
}
