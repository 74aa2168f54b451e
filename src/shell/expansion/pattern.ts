/** `${x#a*}`, `${x//a/b}`, `${x^^}` on known values. A value or pattern that is long is not followed. */
import { matchesGlob } from '../../core/text/glob.ts'

const MAX_VALUE = 512
const MAX_PATTERN = 32
const MAX_WORK = 1_000_000 // characters of a value, times those of a replacement

export function removed(
  text: string,
  pattern: string,
  operator: '#' | '##' | '%' | '%%',
): string | undefined {
  if (!isSmall(text, pattern)) return undefined
  const lengths = Array.from({ length: text.length + 1 }, (_, i) => i)
  if (operator.length === 2) lengths.reverse()
  const isFront = operator.startsWith('#')
  for (const length of lengths) {
    const part = isFront ? text.slice(0, length) : text.slice(text.length - length)
    if (matchesGlob(pattern, part)) return isFront ? text.slice(length) : text.slice(0, text.length - length)
  }
  return text
}

export function replaced(
  text: string,
  pattern: string,
  by: string,
  operator: '/' | '//' | '/#' | '/%',
): string | undefined {
  if (/[*?[\\]/.test(pattern) || by.includes('&') || text.length * by.length > MAX_WORK) return undefined
  if (pattern === '') return operator === '/#' ? by + text : operator === '/%' ? text + by : text
  if (operator === '//') return text.split(pattern).join(by)
  if (operator === '/#') return text.startsWith(pattern) ? by + text.slice(pattern.length) : text
  if (operator === '/%') return text.endsWith(pattern) ? text.slice(0, -pattern.length) + by : text
  const at = text.indexOf(pattern)
  return at < 0 ? text : text.slice(0, at) + by + text.slice(at + pattern.length)
}

export function changedCase(text: string, operator: '^' | '^^' | ',' | ',,'): string {
  const change = (part: string) => (operator.startsWith('^') ? part.toUpperCase() : part.toLowerCase())
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1)
}

function isSmall(text: string, pattern: string): boolean {
  return text.length <= MAX_VALUE && pattern.length <= MAX_PATTERN && !/[[\\(]/.test(pattern)
}
