/** Real processes, and what the table says of them. */
import { afterAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir, until } from '../../../test/kit.ts'
import { processes } from '../../../test/litter.ts'
import { commandEndsWith, familyOf, fromPs, isThere, processRow } from './process-table.ts'

const started: number[] = []
afterAll(() => {
  for (const pid of started) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has ended
    }
  }
})

function start(line: string) {
  const child = Bun.spawn(['sh', '-c', line], { stdin: 'ignore', stdout: 'ignore' })
  processes.add(child)
  return child
}

test('a process is seen to stop, to continue and to end', async () => {
  const child = start('exec sleep 60')
  const row = await processRow(child.pid)
  expect(row).toMatchObject({ pid: child.pid, parent: process.pid, stopped: false })
  child.kill('SIGSTOP')
  await until(async () => (await processRow(child.pid))?.stopped, 'the stop')
  child.kill('SIGCONT')
  await until(async () => (await processRow(child.pid))?.stopped === false, 'the going on')
  expect(row && (await isThere(row))).toBe(true)
  child.kill('SIGKILL')
  await until(async () => row && !(await isThere(row)), 'the end')
  await child.exited
})

test('the family is all descendants in the same process group, and nobody else', async () => {
  const apart = join(tempDir(), 'apart')
  const line = `(sleep 60; true) & setsid sh -c 'echo $$ > ${apart}; exec sleep 60' & sleep 60; true`
  const child = start(line)
  const other = await until(() => existsSync(apart) && Number(readFileSync(apart, 'utf8')), 'the one apart')
  started.push(other)
  const family = await until(async () => {
    const found = await familyOf(child.pid)
    return found.length >= 3 && found
  }, 'a shell and two that sleep')
  started.push(...family.map(({ pid }) => pid))
  expect(family).toHaveLength(3)
  expect((await processRow(other))?.parent).toBe(child.pid)
  expect(family.map(({ pid }) => pid)).not.toContain(other)
  const parents = new Set([child.pid, ...family.map(({ pid }) => pid)])
  expect(family.every(({ parent }) => parents.has(parent))).toBe(true)
  child.kill('SIGKILL')
})

test('ps says the same', async () => {
  const child = start('exec sleep 60')
  child.kill('SIGSTOP')
  const row = await until(async () => {
    const found = await processRow(child.pid)
    return found?.stopped && found
  }, 'the stop')
  const { start: _, startedAt, ...same } = row
  const byPs = await fromPs(['-p', String(child.pid)])
  expect(byPs).toMatchObject([same])
  expect(Math.abs((byPs[0]?.startedAt ?? 0) - startedAt)).toBeLessThan(2_000)
  expect((await fromPs(['-A'])).map(({ pid }) => pid)).toContain(process.pid)
  child.kill('SIGKILL')
  await child.exited
  expect(await fromPs(['-p', String(child.pid)])).toEqual([])
})

test('a command line ends with words as they were given', async () => {
  const child = start('exec sleep 60 60')
  await until(() => commandEndsWith(child.pid, '60', '60'), 'the program')
  expect(await commandEndsWith(child.pid, '60 60')).toBe(false)
  expect(await commandEndsWith(child.pid, 'sh', 'sleep', '60', '60')).toBe(false)
  child.kill('SIGKILL')
})
