import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir, until } from '../../../test/kit.ts'
import {
  allPids,
  childrenOf,
  commandLineOf,
  environOf,
  filesOf,
  isAlive,
  linkOf,
  startedAt,
  statOf,
} from './proc.ts'

const isLinux = process.platform === 'linux'
const mayMount = isLinux && Bun.spawnSync(['unshare', '-m', 'true']).success

test('a process is alive until it has ended, collected or not', async () => {
  // The shell's child ends, and the sleep that replaces the shell never collects it.
  const parent = Bun.spawn(['sh', '-c', 'sleep 0 & exec sleep 60'])
  if (isLinux) {
    const ended = () => childrenOf(parent.pid).find((pid) => statOf(pid)?.state === 'Z')
    expect(isAlive(await until(ended, 'a zombie'))).toBe(false)
  }
  expect(isAlive(parent.pid)).toBe(true)
  parent.kill('SIGKILL')
  await parent.exited
  expect([parent.pid, 0, -1, Number.NaN].some((pid) => isAlive(pid, true))).toBe(false)
})

test.skipIf(!isLinux)('tells what is known of a process, and nothing of one that is not there', () => {
  expect(allPids()).toContain(process.pid)
  expect(commandLineOf(process.pid)).not.toBeEmpty()
  expect(environOf(process.pid).some((one) => one.startsWith('PATH='))).toBe(true)
  expect(linkOf(process.pid, 'cwd')).toBe(process.cwd())
  expect(filesOf(process.pid)).not.toBeEmpty()
  const nobody = 2 ** 22 + 1
  expect([...childrenOf(nobody), ...commandLineOf(nobody), ...environOf(nobody)]).toEqual([])
  expect([statOf(nobody), filesOf(nobody), linkOf(nobody, 'cwd')]).toEqual([undefined, undefined, undefined])
})

/** The start of that process by the clock, minus the moment at which this was asked. */
const AGE = `const { startedAt, statOf } = await import(process.argv[1])
console.log(startedAt(statOf(process.pid).start) - Date.now() + performance.now())`

test.skipIf(!isLinux)('knows when a process began', () => {
  const own = startedAt(statOf(process.pid)?.start ?? '')
  expect(Math.abs(own - performance.timeOrigin)).toBeLessThan(10_000)
})

test.skipIf(!mayMount)('knows it in a container that has an uptime of its own', () => {
  const uptime = join(tempDir(), 'uptime')
  writeFileSync(uptime, '60.00 60.00\n')
  const script = `mount --bind '${uptime}' /proc/uptime && exec "$0" "$@"`
  const argv = [process.execPath, '-e', AGE, join(import.meta.dir, 'proc.ts')]
  const { stdout } = Bun.spawnSync(['unshare', '-m', 'sh', '-c', script, ...argv])
  expect(Math.abs(Number(stdout.toString()))).toBeLessThan(1_000)
})
