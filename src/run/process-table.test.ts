/** Real processes, and what the table says of them. */
import { afterAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir, until } from '../../test/kit.ts'
import { processes } from '../../test/litter.ts'
import { familyOf, fromPs, isAlive, processRow } from './process-table.ts'

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
  const row = processRow(child.pid)
  expect(row).toMatchObject({ pid: child.pid, parent: process.pid, stopped: false })
  child.kill('SIGSTOP')
  await until(() => processRow(child.pid)?.stopped, 'the stop')
  child.kill('SIGCONT')
  await until(() => processRow(child.pid)?.stopped === false, 'the going on')
  expect(row && isAlive(row)).toBe(true)
  child.kill('SIGKILL')
  await until(() => row && !isAlive(row), 'the end')
  await child.exited
})

test('the family is all descendants in the same process group, and nobody else', async () => {
  const apart = join(tempDir(), 'apart')
  const line = `(sleep 60; true) & setsid sh -c 'echo $$ > ${apart}; exec sleep 60' & sleep 60; true`
  const child = start(line)
  const other = await until(() => existsSync(apart) && Number(readFileSync(apart, 'utf8')), 'the one apart')
  started.push(other)
  const family = await until(() => {
    const found = familyOf(child.pid)
    return found.length >= 3 && found
  }, 'a shell and two that sleep')
  started.push(...family.map(({ pid }) => pid))
  expect(family).toHaveLength(3)
  expect(processRow(other)?.parent).toBe(child.pid)
  expect(family.map(({ pid }) => pid)).not.toContain(other)
  const parents = new Set([child.pid, ...family.map(({ pid }) => pid)])
  expect(family.every(({ parent }) => parents.has(parent))).toBe(true)
  child.kill('SIGKILL')
})

test('ps says the same', async () => {
  const child = start('exec sleep 60')
  child.kill('SIGSTOP')
  const row = await until(() => {
    const found = processRow(child.pid)
    return found?.stopped && found
  }, 'the stop')
  const { start: _, ...same } = row
  expect(fromPs(['-p', String(child.pid)])).toMatchObject([same])
  expect(fromPs(['-A']).map(({ pid }) => pid)).toContain(process.pid)
  child.kill('SIGKILL')
  await child.exited
  expect(fromPs(['-p', String(child.pid)])).toEqual([])
})
