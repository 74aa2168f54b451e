/** A session in a few words and signs: activity, age, context usage, cost. */
import type { SessionView } from '../../client/index.ts'
import { age, percentWords, shortCost } from '../../core/text/amount.ts'
import { clean } from '../../core/text/text.ts'
import { type Span, span, type Tone } from './line.ts'

/** Its title, else its last prompt. */
export function topicOf(session: SessionView): string {
  return clean(session.title ?? session.lastPrompt ?? '')
}

export function ageOf(since: number, now: number): string {
  return age(now - since)
}

const BAR_CELLS = 5

export function contextTone({ usage }: SessionView): Tone {
  return usage.near === 'full' ? 'error' : usage.near === 'warn' ? 'need' : 'quiet'
}

/** `▰▰▰▱▱  62%`, ten columns; empty if unknown. */
export function contextBar(session: SessionView): Span[] {
  const pct = session.usage.contextPct
  if (pct === undefined) return [span(' '.repeat(BAR_CELLS + 5))]
  const full = Math.min(BAR_CELLS, Math.max(0, Math.round((pct / 100) * BAR_CELLS)))
  const tone = contextTone(session)
  return [
    span('▰'.repeat(full) + '▱'.repeat(BAR_CELLS - full), tone),
    span(percentWords(pct).padStart(5), tone === 'quiet' ? 'plain' : tone),
  ]
}

/** Up to seven columns. */
export function cost(usd: number | undefined): string {
  return usd === undefined || !Number.isFinite(usd) ? '' : shortCost(usd)
}
