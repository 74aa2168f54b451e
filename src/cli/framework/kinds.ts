/** Each kind of value: the word for it in the usage, and how the text that somebody typed is read. */
import { sinceOf, spanOf, timeOf } from '../../client/since.ts'
import { didYouMean, firstNames, whichOf } from '../../core/text/closest.ts'
import { STREAMS } from '../../events/names.ts'
import type { Kind, Value, Values } from './define.ts'
import { usageError } from './usage.ts'

/** `label` is what the value belongs to, as it is typed: `--limit`, `<id>`. */
type Reader<T> = (text: string, label: string, value: Value) => T

const READERS: { readonly [K in Kind]?: Reader<Values[K]> } = {
  count: (text, label, { least = 1, most = Infinity, also = {} }) => {
    const number = numberOf(text, also)
    if (Object.hasOwn(also, text) || (Number.isInteger(number) && number >= least && number <= most))
      return number
    const range = most === Infinity ? `above ${least - 1}` : `from ${least} to ${most}`
    throw usageError(`${label} takes a whole number ${range}${or(also)}, not "${text}".`)
  },
  number: (text, label, { also = {} }) => {
    const number = numberOf(text, also)
    if (Object.hasOwn(also, text) || (number > 0 && number < Infinity)) return number
    throw usageError(`${label} takes a number above 0${or(also)}, not "${text}".`)
  },
  duration: (text, label) => {
    const span = spanOf(text)
    if (span !== undefined) return span
    throw usageError(`${label} takes a time span such as 90s, 15m or 1h, not "${text}".`)
  },
  time: (text) => timeOf(text, Date.now()),
  position: (text) => sinceOf(text, Date.now()),
  // In full, or its first word in any case: `sessions` is SESSION_EVENTS.
  stream: (text) => {
    const word = text.toUpperCase().replace(/S?(_EVENTS)?$/, '')
    const found = STREAMS.find((name) => name === `${word}_EVENTS`)
    if (found) return found
    throw usageError(`There is no stream "${text}". ${whichOf(text, STREAMS)}`)
  },
  effort: (text) => {
    const id = Number(text)
    if (/^\d{1,15}$/.test(text) && id > 0) return id
    throw usageError(`Invalid effort "${text}". Efforts have numbers: gantry effort list`)
  },
  choice: (text, label, { choices = [], value }) => {
    if (choices.includes(text)) return text
    const [, name] = /^(?:--|<)([^>]+)/.exec(label) ?? []
    const what = name === undefined ? `"${label} ${text}"` : `${value ?? name} "${text}"`
    const meant = didYouMean(text, choices)
    throw usageError(
      `There is no ${what}. ${meant === undefined ? '' : `${meant} `}There are: ${firstNames(choices)}.`,
    )
  },
}

const WORDS: { readonly [K in Kind]?: string } = {
  count: 'n',
  number: 'n',
  duration: 'span',
  time: 'when',
  position: 'when',
  effort: 'id',
  channel: 'name',
  consumer: 'name',
  handler: 'id',
  stream: 'name',
  webhook: 'name',
  guard: 'id',
  setting: 'value',
}

export function wordOf({ kind, value }: Value): string {
  return value ?? WORDS[kind] ?? kind
}

export function readValue(text: string, label: string, value: Value): unknown {
  const read = READERS[value.kind] as Reader<unknown> | undefined
  if (read) return read(text, label, value) ?? text
  // A script whose variable is not set must not name what it did not mean.
  const mayBeEmpty = value.kind === 'text' || value.kind === 'command' || value.kind === 'setting'
  if (text.trim() === '' && !mayBeEmpty) throw usageError(`${label} takes ${wordOf(value)}, not "".`)
  return text
}

function numberOf(text: string, also: Readonly<Record<string, number>>): number {
  if (Object.hasOwn(also, text)) return also[text] ?? Number.NaN
  return text.trim() === '' ? Number.NaN : Number(text)
}

function or(also: Readonly<Record<string, number>>): string {
  return Object.keys(also)
    .map((word) => ` or "${word}"`)
    .join('')
}
