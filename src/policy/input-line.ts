/** What a tool is about to do, on one line: its command, its file, its address; else all of its input as JSON. */
const MAX_CHARS = 500 // a line to decide by; the whole input is beside it

/** The first of these that the input has says most about it. Names of all agents' tools. */
const TELLING = [
  'command',
  'cmd',
  'file_path',
  'filePath',
  'notebook_path',
  'absolute_path',
  'path',
  'url',
  'query',
  'pattern',
  'prompt',
]

const LARGE_CHARS = 32 * 1024 // a file's contents; no command is as long

/** Too much to tell everyone who lists what waits. */
export function isLargeInput(input: unknown): boolean {
  return (JSON.stringify(input)?.length ?? 0) > LARGE_CHARS
}

export function inputLine(input: unknown): string {
  const text = tellingPart(input)
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= MAX_CHARS ? line : `${line.slice(0, MAX_CHARS)}…`
}

function tellingPart(input: unknown): string {
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null) return ''
  const fields = input as Record<string, unknown>
  for (const name of TELLING) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'string' && value.trim() !== '') return value
    // Codex gives a command as its words.
    if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string'))
      return value.join(' ')
  }
  return JSON.stringify(input)
}
