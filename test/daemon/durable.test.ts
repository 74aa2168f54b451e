/**
 * No answer leaves before its event is on the disk: strace sees the daemon's system calls in their order. An event is found
 * by its mark, in what the daemon reads from a connection and in the page that it writes to the log.
 */
import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { endDaemon, makeHome, sendFrame, startDaemon, tempDir, until } from '../kit.ts'

const homes: Places[] = []
afterAll(async () => {
  for (const at of homes) await endDaemon(at)
})

const TRACED = 'pwrite64,fdatasync,fsync,read,recvfrom,write,sendto,stat,lstat,newfstatat,statx'
const PAGE_BYTES = 9_000 // what strace shows of a write: a whole page

test('an event is synced before its answer leaves, alone and among many', async () => {
  const at = makeHome()
  homes.push(at)
  const { pid } = await startDaemon(at)
  const file = join(tempDir(), 'calls')
  const strace = Bun.spawn(
    ['strace', '-f', '-y', '-s', String(PAGE_BYTES), '-e', `trace=${TRACED}`, '-o', file, '-p', String(pid)],
    { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  )
  await strace.stderr.getReader().read() // attached
  const began = performance.now()
  const send = (mark: string) =>
    sendFrame(at, {
      payload: JSON.stringify({ session_id: mark, hook_event_name: 'PreToolUse', tool_name: 'Bash' }),
    })
  for (let n = 0; n < 5; n++) expect(await send(`alone-${n}-mark`)).toMatchObject({ exit: 0 })
  for (let round = 0; round < 3; round++)
    await Promise.all(Array.from({ length: 40 }, (_, n) => send(`many-${round}-${n}-mark`)))
  await send('alone-last-mark') // what strace is still to write of the last answer is not counted
  strace.kill('SIGINT')
  await strace.exited
  const { answered, early, looks } = await until(() => judged(readFileSync(file, 'latin1')), 'the trace')
  expect(early).toEqual([])
  expect(answered).toBeGreaterThanOrEqual(125)
  // The sync after a stat of the log takes half as long again: once a second is fine, with every commit is not.
  expect(looks).toBeLessThan(2 + (performance.now() - began) / 1000)
})

/** The answers, and the marks of those whose event was not in a page of the log that was synced after it was written. */
function judged(trace: string): { answered: number; early: string[]; looks: number } {
  const begun = new Map<string, string>() // by thread: a call that another thread's line interrupts
  const markOf = new Map<string, string>() // by connection
  const written = new Map<string, number>() // by mark: after how many writes
  const syncs = new Map<string, number>() // by thread: the writes before its sync began
  const early: string[] = []
  let [writes, synced, answered, looks] = [0, 0, 0, 0]
  for (const line of trace.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    if (/^f(?:data)?sync\(\d+<[^>]*-wal>/.test(rest)) syncs.set(thread, writes)
    if (/^\w*stat\w*\(.*-wal"/.test(rest)) looks += 1
    if (rest.includes('<unfinished ...>')) {
      begun.set(thread, rest)
      continue
    }
    const call = rest.startsWith('<...') ? `${begun.get(thread) ?? ''}${rest}` : rest
    const marks = call.match(/(?:alone|many)-[\w-]+mark/g) ?? []
    const [, name = '', to = ''] = /^(\w+)\(\d+<([^>]*)>/.exec(call) ?? []
    if (name === 'pwrite64' && to.endsWith('-wal')) {
      writes += 1
      for (const mark of marks) if (!written.has(mark)) written.set(mark, writes)
    } else if (/^f(?:data)?sync$/.test(name) && to.endsWith('-wal')) {
      if (/= 0$/.test(call.trim())) synced = Math.max(synced, syncs.get(thread) ?? 0)
    } else if ((name === 'read' || name === 'recvfrom') && marks[0]) markOf.set(to, marks[0])
    else if ((name === 'write' || name === 'sendto') && call.includes('"0 0 0\\n"')) {
      answered += 1
      const mark = markOf.get(to) ?? `nobody on ${to}`
      if ((written.get(mark) ?? Number.POSITIVE_INFINITY) > synced) early.push(mark)
    }
  }
  return { answered, early, looks }
}
