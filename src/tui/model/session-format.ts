/** A session in a few words and signs: activity, age, context usage, cost. */
import type { SessionView } from '../../client/index.ts'
import { age, clean } from '../../core/text/text.ts'
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
    span(percent(pct).padStart(5), tone === 'quiet' ? 'plain' : tone),
  ]
}

export function percent(pct: number): string {
  return `${Math.min(999, Math.max(0, Math.round(pct)))}%`
}

/** Up to seven columns. */
export function cost(usd: number | undefined): string {
  if (usd === undefined || !Number.isFinite(usd)) return ''
  return usd < 1000 ? `$${usd.toFixed(2)}` : `$${Math.round(usd / 100) / 10}k`
}
