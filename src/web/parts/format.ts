/** Times of the day, and agents' text that is safe to show. */
import { sumWords, tookWords } from '../../core/text/amount.ts'
import { bare } from '../../core/text/text.ts'

const NONE = '–'

export function spentOrNone(ms: number): string {
  return ms > 0 ? sumWords(ms) : NONE
}

export function tookOrNone(ms: number | null): string {
  return ms === null ? NONE : tookWords(ms)
}

/** Of a source in whole milliseconds, as that of hooks. */
export function wholeOrNone(ms: number | null): string {
  return ms === 0 ? '<1ms' : tookOrNone(ms)
}

/** Times of the day, as the clock on the wall. */
export function clockWords(at: number, seconds = true): string {
  if (!(at > 0)) return ''
  return new Date(at).toLocaleTimeString([], {
    ...{ hour: '2-digit', minute: '2-digit', hour12: false },
    ...(seconds ? { second: '2-digit' } : {}),
  })
}

/** Agents' text as it is, lines kept; what would be invisible is named. */
export function shown(text: string): string {
  return text.includes('\n') ? text.split('\n').map(line).join('\n') : line(text)
}

function line(text: string): string {
  return bare(text.replaceAll('\t', '  '))
}
