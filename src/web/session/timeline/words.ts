/** A span in words. Pure. */
import type { Span } from '../../../timeline/lanes.ts'
import { exactWords } from '../../parts/words.ts'
import { clockWords } from '../clock-words.ts'

/** 320 ms, 4.2s, 2m 14s. */
export function tookWords(ms: number): string {
  const span = Math.max(0, ms)
  if (span < 1_000) return `${Math.round(span)} ms`
  return span < 60_000 ? `${(span / 1_000).toFixed(1)}s` : exactWords(span)
}

export function lengthWords({ from, to, open }: Span): string {
  if (open) return `${tookWords(to - from)} so far`
  return to > from ? tookWords(to - from) : ''
}

export function spanWords(span: Span): string {
  const { label, text, tone, from } = span
  const what = [label, tone === 'error' && !/fail|den/i.test(label) ? 'failed' : '', text]
    .filter(Boolean)
    .join(' ')
  return [what, lengthWords(span), clockWords(from)].filter(Boolean).join(' · ')
}
