/** Lanes and spans in words. Pure. */
import { tookWords } from '../../../core/text/amount.ts'
import { LOOKS } from '../../../sessions/state/look.ts'
import { ERROR_MARK } from '../../../timeline/entry.ts'
import type { Lane, Span } from '../../../timeline/lanes.ts'
import { clockWords } from '../../parts/format.ts'

const MOST_TEXT = 300

export function markOf({ tone }: Span): string {
  return tone === 'error' ? `${ERROR_MARK} ` : tone === 'need' ? `${LOOKS.asks.mark} ` : ''
}

export function textOf({ text }: Span): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text
}

export function lengthWords({ from, to, open }: Span): string {
  if (open) return `${tookWords(to - from)} so far`
  return to > from ? tookWords(to - from) : ''
}

export function lineOf(span: Span): string {
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
