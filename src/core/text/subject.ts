/** What a tool call is about, as it was sent: callers make it fit for a screen. */

const MAX_SUBJECT = 2_000 // units; the event has the whole input

/** The fields with a file's path in the inputs of all agents' tools; the first that an input has counts. */
export const FILE_FIELDS: readonly string[] = [
  'file_path',
  'filePath',
  'notebook_path',
  'absolute_path',
  'path',
]

/** In order of significance: the first field that the input has is shown. Field names of all agents' tools. */
const TELLING = [
  ...['command', 'cmd', ...FILE_FIELDS],
  ...['pattern', 'url', 'query', 'prompt', 'description', 'question', 'plan'],
]

/** The most significant field of a tool's input; else all of it. */
export function subjectOf(input: unknown): string {
  if (typeof input === 'string') return input.slice(0, MAX_SUBJECT)
  if (typeof input !== 'object' || input === null) return ''
  const fields = input as Record<string, unknown>
  for (const name of TELLING) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'string' && value !== '') return value.slice(0, MAX_SUBJECT)
    const words = wordsLine(value)
    if (words !== undefined) return words.slice(0, MAX_SUBJECT)
  }
  return Object.keys(fields).length === 0 ? '' : JSON.stringify(input).slice(0, MAX_SUBJECT)
}

/** Joins a command given as a list of words, as Codex does. */
export function wordsLine(value: unknown): string | undefined {
  const isWords = Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
  return isWords ? value.join(' ') : undefined
}
