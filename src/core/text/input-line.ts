/**
 * A tool's input on one line: its command, file or URL, else the whole input as JSON. People approve what this line shows,
 * so it marks every omission: it counts a missing middle, always shows the end, and names the other fields. A line break
 * becomes a visible sign, because a second command may follow it.
 *
 *   inputLine({ command: 'make\nrm -rf x', timeout: 5 })   // 'make ⏎ rm -rf x  (and timeout: 5)'
 */
import { elide } from './columns.ts'
import { FILE_FIELDS, wordsLine } from './subject.ts'
import { bare } from './text.ts'

const MAX_CHARS = 500 // enough to decide by; the whole input is shown beside it
const MAX_VALUE_CHARS = 40
const MAX_NAME_CHARS = 40
const MAX_FIELDS = 8
const LOOKED_AT_CHARS = 16 * 1024 // at each end

/** In order of significance: the first of these fields that the input has is shown. Field names of all agents' tools. */
const TELLING = ['command', 'cmd', ...FILE_FIELDS, 'url', 'query', 'pattern', 'plan', 'prompt']
/** Explanations by the model; they have no effect. */
const WORDS = new Set(['description', 'justification'])

const LARGE_CHARS = 32 * 1024 // the size of a file's contents; no command is that long

/** Too large to send to everyone who lists pending approvals. */
export function isLargeInput(input: unknown): boolean {
  return (JSON.stringify(input)?.length ?? 0) > LARGE_CHARS
}

/** An infinite limit leaves nothing out. */
export function inputLine(input: unknown, limit = MAX_CHARS): string {
  const { text, others } = parts(input)
  return shortened(text, limit) + otherFields(others, limit)
}

/** Looks only at the ends of a very long text. */
function shortened(text: string, limit: number): string {
  const omitted = text.length - 2 * LOOKED_AT_CHARS
  if (omitted <= 0 || limit === Number.POSITIVE_INFINITY) return elide(withBreaks(text), limit)
  const [head, tail] = [text.slice(0, LOOKED_AT_CHARS), text.slice(-LOOKED_AT_CHARS)].map(withBreaks)
  return elide(`${head} … ${omitted} more … ${tail}`, limit, text.length)
}

const BREAK = /[\n\r\v\f\u0085\u2028\u2029]/

/**
 * Collapses blanks, so padding cannot push the end out of sight. Removes terminal controls and bidi marks, and names
 * invisible characters.
 */
function withBreaks(text: string): string {
  const line = text.trim().replace(/[\s\u0085]+/g, (blank) => (BREAK.test(blank) ? ' ⏎ ' : ' '))
  return bare(line)
}

interface Parts {
  readonly text: string
  readonly others: readonly (readonly [string, unknown])[]
}

function parts(input: unknown): Parts {
  if (typeof input === 'string') return { text: input, others: [] }
  if (typeof input !== 'object' || input === null) return { text: '', others: [] }
  const fields = input as Record<string, unknown>
  for (const name of TELLING) {
    const text = textOf(Object.hasOwn(fields, name) ? fields[name] : undefined)
    if (text === undefined) continue
    return { text, others: Object.entries(fields).filter(([key]) => key !== name && !WORDS.has(key)) }
  }
  return { text: JSON.stringify(input), others: [] }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string' && value.trim() !== '') return value
  return wordsLine(value)
}

function otherFields(others: Parts['others'], limit: number): string {
  if (others.length === 0) return ''
  const isWhole = limit === Number.POSITIVE_INFINITY
  const shown = isWhole ? others : others.slice(0, MAX_FIELDS)
  const named = shown.map(([name, value]) => {
    const json = JSON.stringify(value) ?? ''
    const size = typeof value === 'string' ? value.length : json.length
    const short = isWhole || json.length <= MAX_VALUE_CHARS ? json : `${size} characters`
    return `${elide(withBreaks(name), isWhole ? limit : MAX_NAME_CHARS)}: ${bare(short)}`
  })
  const more = others.length - shown.length
  return `  (and ${[...named, ...(more > 0 ? [`${more} more fields`] : [])].join(', ')})`
}
