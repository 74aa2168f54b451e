import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { tempDir } from '../../../test/kit.ts'
import { GantryError } from '../errors.ts'
import { takeLock } from './lock.ts'

const HOLDER = `
  import { takeLock } from '${join(import.meta.dir, 'lock.ts')}'
  const lock = takeLock(process.argv[1])
  process.stdout.write(lock ? 'held' : 'taken')
  setInterval(() => lock, 1000)
`

const children: Subprocess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Starts another process that takes the lock and keeps it; tells whether it succeeded. */
async function otherProcess(path: string) {
  const child = Bun.spawn([process.execPath, '-e', HOLDER, path], { stdout: 'pipe', stderr: 'inherit' })
  children.push(child)
  const { value } = await child.stdout.getReader().read()
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await child.exited
  }
  return { said: new TextDecoder().decode(value), kill }
}

test('a second taker gets nothing and leaves the lock with the first', () => {
  const path = join(tempDir(), 'lock')
  const first = takeLock(path)
  expect(first).toBeDefined()
  expect(takeLock(path)).toBeUndefined()
  expect(takeLock(path)).toBeUndefined()
  first?.release()
  const next = takeLock(path)
  expect(next).toBeDefined()
  next?.release()
})

test('two processes cannot hold the lock at once', async () => {
  const path = join(tempDir(), 'lock')
  const mine = takeLock(path)
  const other = await otherProcess(path)
  expect(other.said).toBe('taken')
  mine?.release()
  await other.kill('SIGKILL')
})

test('the lock is free as soon as its holder is killed, without any repair', async () => {
  const path = join(tempDir(), 'lock')
  const other = await otherProcess(path)
  expect(other.said).toBe('held')
  expect(takeLock(path)).toBeUndefined()
  await other.kill('SIGKILL')
  const mine = takeLock(path)
  expect(mine).toBeDefined()
  mine?.release()
})

test('a path that cannot be locked gives an error that names it and the fix', () => {
  const dir = tempDir()
  mkdirSync(join(dir, 'folder'))
  writeFileSync(join(dir, 'broken'), 'this is no lock file'.repeat(100))
  for (const path of [join(dir, 'nowhere', 'lock'), join(dir, 'folder'), join(dir, 'broken')]) {
    expect(() => takeLock(path)).toThrow(GantryError)
    expect(() => takeLock(path)).toThrow(path)
    expect(() => takeLock(path)).toThrow(/GANTRY_HOME/)
  }
})
