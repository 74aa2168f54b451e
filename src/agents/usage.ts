/** Counts of tokens and money, out of whatever object the agent reports them in. */
import type { Payload } from './payload.ts'
import { type Draft, isFiniteNumber } from './slots.ts'

export type Usage = NonNullable<Draft['usage']>

export function usageOf(draft: Draft): Usage {
  draft.usage ??= {}
  return draft.usage
}

/** Absent and null are fine; false for anything else that is no number. */
export function takeNumber(usage: Usage, slot: keyof Usage, value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (!isFiniteNumber(value)) return false
  usage[slot] = value
  return true
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
