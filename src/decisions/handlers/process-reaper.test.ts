import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isGone, tempDir, until } from '../../../test/kit.ts'
import { processes } from '../../../test/litter.ts'
import { childrenOf } from '../../core/processes/proc.ts'

/** A process with a will of its own, and handlers of which the last is over. */
async function withHandlers(count: number, more = '') {
  const told = join(tempDir(), 'told')
  const child = Bun.spawn([process.execPath, '-e', `${PROGRAM}\n${more}\nawait say(${count})`, told], {
    cwd: import.meta.dir,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  })
  processes.add(child)
  void child.exited.then(() => processes.delete(child))
  const read = () => {
    try {
      return JSON.parse(readFileSync(told, 'utf8')) as { running: number[]; over: number }
    } catch {
      return undefined
    }
  }
  return { child, told, ...(await until(read, 'the handlers to run')) }
}

const PROGRAM = `
const { ProcessReaper, SIGN_IN } = await import('./process-reaper.ts')
const { existsSync, renameSync, writeFileSync } = await import('node:fs')
const will = new ProcessReaper()
const start = (command = 'sleep 300 & wait') => {
  const line = will.line()
  const { pid } = Bun.spawn(['/bin/sh', '-c', SIGN_IN + command], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', line],
  })
  will.add(pid)
  return pid
}
const say = async (count) => {
  const running = Array.from({ length: count }, () => start())
  const over = start('touch ' + process.argv[1] + '.begun; sleep 300')
  while (!existsSync(process.argv[1] + '.begun')) await Bun.sleep(5)
  will.delete(over)
  writeFileSync(process.argv[1] + '.new', JSON.stringify({ running, over }))
  renameSync(process.argv[1] + '.new', process.argv[1])
}
setInterval(() => {}, 1000)
`

describe('handlers whose daemon was killed', () => {
  test('end with all that they started; one that was over before is none of them', async () => {
    const { child, running, over } = await withHandlers(3)
    const all = running.flatMap((pid) => [pid, ...childrenOf(pid)])
    expect(all.length).toBeGreaterThanOrEqual(running.length)
    child.kill('SIGKILL')
    for (const pid of all) await until(() => isGone(pid), `the end of ${pid}`)
    expect(isGone(over)).toBe(false)
    process.kill(-over, 'SIGKILL')
  }, 120_000)

  test('end, too, when it was killed in the moment of their start', async () => {
    for (let round = 0; round < 5; round++) {
      const told = join(tempDir(), 'told')
      const program = `${PROGRAM}
        writeFileSync(process.argv[1], String(start()))
        process.kill(process.pid, 'SIGKILL')`
      const child = Bun.spawn([process.execPath, '-e', program, told], {
        cwd: import.meta.dir,
        stderr: 'inherit',
      })
      await child.exited
      const pid = Number(readFileSync(told, 'utf8'))
      expect(pid).toBeGreaterThan(1)
      await until(() => isGone(pid), `the end of ${pid}`)
    }
  }, 120_000)

  test('end, too, when the shell that should do it was killed before and replaced', async () => {
    const lost = `
      const first = start()
      const { readdirSync, readFileSync } = await import('node:fs')
      const read = (path) => { try { return readFileSync(path, 'utf8') } catch { return '' } }
      const children = () => readdirSync('/proc/self/task').flatMap((task) =>
        read('/proc/self/task/' + task + '/children').split(' ').filter(Boolean))
      const isShell = (pid) => read('/proc/' + pid + '/cmdline').includes('groups=')
      while (!children().some(isShell)) await Bun.sleep(5)
      const shell = Number(children().find(isShell))
      process.kill(shell, 'SIGKILL')
      while (!/ [ZX] /.test(await Bun.file('/proc/' + shell + '/stat').text().catch(() => ' Z '))) await Bun.sleep(5)
      await Bun.sleep(50)
      writeFileSync(process.argv[1] + '.first', String(first))`
    const { child, told, running, over } = await withHandlers(1, lost)
    const first = Number(readFileSync(`${told}.first`, 'utf8'))
    child.kill('SIGKILL')
    for (const pid of [first, ...running]) await until(() => isGone(pid), `the end of ${pid}`)
    process.kill(-over, 'SIGKILL')
  }, 120_000)
})
