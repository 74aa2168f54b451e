/** Runs one SQL question in a process of its own, which can be ended; see store/query.ts. */
import { GantryError } from '../errors.ts'
import { selfCommand } from '../self.ts'
import type { QueryResult } from '../store/index.ts'

const DEADLINE_MS = 20_000
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024
const CPU_LIMIT_S = 25
// By the kernel, too: a daemon that is killed must not leave a question behind that never ends.
const BOUNDED = 'ulimit -t "$0"; exec "$@"'

export async function ask(database: string, sql: string, limit: number): Promise<QueryResult> {
  const child = Bun.spawn(['sh', '-c', BOUNDED, String(CPU_LIMIT_S), ...selfCommand(), 'query-worker'], {
    stdin: Buffer.from(JSON.stringify({ database, sql, limit })),
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: DEADLINE_MS,
    killSignal: 'SIGKILL',
    maxBuffer: OUTPUT_LIMIT_BYTES,
  })
  const text = await new Response(child.stdout).text()
  await child.exited
  if (child.signalCode) {
    throw new GantryError(
      'DEADLINE',
      `The query took over ${DEADLINE_MS / 1000} s or gave too much. Narrow it: add a WHERE on seq, or a LIMIT.`,
    )
  }
  const answer = JSON.parse(text) as { ok: true; data: QueryResult } | { ok: false; message: string }
  if (!answer.ok) throw new GantryError('VALIDATION_ERROR', answer.message)
  return answer.data
}
