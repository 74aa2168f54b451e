/** Lanes and spans in words. Pure. */
import type { Lane, Span } from '../../../timeline/lanes.ts'
import { clockWords, exactWords } from '../../parts/format.ts'

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

const NAMES: Readonly<Record<Lane['kind'], string>> = {
  turns: 'Turns',
  waits: 'Waits for you',
  tools: 'Tools',
  agent: '',
  compactions: 'Compactions',
  denials: 'Denials',
}

/** A sub-agent bears its own name. */
export function laneName({ kind, name }: Pick<Lane, 'kind' | 'name'>): string {
  return NAMES[kind] || name
}
