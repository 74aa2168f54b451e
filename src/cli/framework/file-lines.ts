/**
 * Lines of a file, or of stdin. Only a line feed ends one: `node:readline` also splits at U+2028, which JSON allows
 * inside of a string.
 */
import { createReadStream, existsSync } from 'node:fs'
import { usageError } from './usage.ts'

const MAX_CHARS = 32 * 1024 * 1024 // longer than any line that is read; /dev/zero has one without an end

/** `-` is stdin. */
export function refuseMissing(files: readonly string[], hint = ''): void {
  const missing = files.find((file) => file !== '-' && !existsSync(file))
  if (missing !== undefined) throw usageError(`There is no file ${missing}.${hint}`)
}

/** `-` is stdin. A line that is too long is cut, and still too long for any reader. */
export function fileLines(file: string): AsyncGenerator<string> {
  return linesIn(file === '-' ? process.stdin.setEncoding('utf8') : createReadStream(file, 'utf8'))
}

export interface Line {
  readonly text: string
  /** `file:3` */
  readonly where: string
}

/** The lines that are not blank, each with its place. */
export async function* numberedLines(file: string): AsyncGenerator<Line> {
  let number = 0
  for await (const text of fileLines(file)) {
    number += 1
    if (text.trim() !== '') yield { text, where: `${file}:${number}` }
  }
}

export async function* linesIn(input: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of input) {
    const parts = chunk.split('\n')
    if (parts.length === 1) {
      if (rest.length < MAX_CHARS) rest += chunk
      continue
    }
    yield rest + (parts[0] ?? '')
    rest = parts.pop() ?? ''
    yield* parts.slice(1)
  }
  if (rest !== '') yield rest
}
