/** Text that somebody pipes into a command. */
import { GantryError } from '../core/errors.ts'
import { isTerminal } from './terminal.ts'

const STDIN_LIMIT_MS = 60_000 // an agent's shell may leave stdin open for good
const STDIN_LIMIT_BYTES = 1024 * 1024 // far over what any call takes; whoever pipes a log in by mistake is told

/** Empty where stdin is a terminal: nobody knows that it waits for them. */
export async function readStdin(): Promise<string> {
  if (isTerminal(0)) return ''
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(
    () =>
      timer.reject(
        new GantryError(
          'USAGE',
          `stdin did not end within ${STDIN_LIMIT_MS / 1000} s. Close it: … </dev/null`,
        ),
      ),
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
      throw new GantryError('USAGE', 'More than 1 MB came on stdin. Name files instead of quoting them.')
    parts.push(chunk)
  }
  return Buffer.concat(parts).toString('utf8')
}
