/** Reads text and JSON from stdin or a file. */
import { readFileSync } from 'node:fs'
import { messageOf } from '../../core/errors.ts'
import { plain } from '../../core/text/text.ts'
import { usageError } from './usage.ts'

const STDIN_LIMIT_MS = 60_000 // an agent's shell may leave stdin open for good
const STDIN_LIMIT_BYTES = 1024 * 1024 // far more than any call takes: somebody piped a log in by mistake

/** Empty if stdin is a terminal: the user would not know that it waits. */
export async function readStdin(): Promise<string> {
  if (process.stdin.isTTY) return ''
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(
    () =>
      timer.reject(usageError(`stdin did not end within ${STDIN_LIMIT_MS / 1000} s. Close it: … </dev/null`)),
    STDIN_LIMIT_MS,
  )
  return Promise.race([all(), timer.promise]).finally(() => clearTimeout(timeout))
}

async function all(): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > STDIN_LIMIT_BYTES)
      throw usageError('More than 1 MB came on stdin. Name files instead of quoting them.')
    parts.push(chunk)
  }
  return Buffer.concat(parts).toString('utf8')
}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw usageError(`Cannot read ${plain(file)}: ${messageOf(cause)}`, { cause })
  }
}

/** A file; `-` is stdin. */
export async function readInput(file: string): Promise<string> {
  return file === '-' ? readStdin() : readText(file)
}

/** `hint` says how to write it. */
export function parseJson(text: string, what: string, hint: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw usageError(`${what} is not JSON (${plain(messageOf(cause))}). ${hint}`, { cause })
  }
}
