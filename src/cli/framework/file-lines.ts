/**
 * Lines of a file, or of stdin. Only a line feed ends one: `node:readline` also splits at U+2028, which JSON allows
 * inside of a string.
 */
import { createReadStream, existsSync } from 'node:fs'
import { linesOf } from '../../core/text/line-cutter.ts'
import { usageError } from './usage.ts'

const MAX_BYTES = 32 * 1024 * 1024 // longer than any line that is read; /dev/zero has one without an end

/** `-` is stdin. */
export function refuseMissing(files: readonly string[], hint = ''): void {
  const missing = files.find((file) => file !== '-' && !existsSync(file))
  if (missing !== undefined) throw usageError(`There is no file ${missing}.${hint}`)
}

/** `-` is stdin. A line that is too long is cut, and still too long for any reader. */
export function fileLines(file: string): AsyncGenerator<string> {
  const stream: AsyncIterable<Buffer> = file === '-' ? process.stdin : createReadStream(file)
  return linesOf(stream, { maxBytes: MAX_BYTES, keepLast: true })
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
