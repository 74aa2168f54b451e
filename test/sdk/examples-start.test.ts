/** The examples start by the command that each says of itself, where no Bun is on PATH. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { envFor, makeHome, ROOT, startDaemon, until } from '../kit.ts'
import { processes } from '../litter.ts'

setDefaultTimeout(120_000)

const EXAMPLES = join(ROOT, 'examples')
const node = Bun.which('node') ?? ''

/** The line of the head that is set in. */
function commandOf(name: string): string {
  const [, command] = /^ \* {3}(\S.*)$/m.exec(readFileSync(join(EXAMPLES, name), 'utf8')) ?? []
  return command ?? ''
}

test('each example starts as it says', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  const env = { ...envFor(at), PATH: `${dirname(node)}:/usr/bin:/bin` }
  expect(Bun.spawnSync(['sh', '-c', 'command -v bun'], { env }).exitCode).not.toBe(0)
  const entries = readdirSync(EXAMPLES, { withFileTypes: true })
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    const child = Bun.spawn(['sh', '-c', `exec ${commandOf(name)}`], {
      cwd: ROOT,
      env,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    })
    processes.add(child)
    // It has come to talk to the daemon, or it is done and all was well.
    const connections = async () => {
      const { call } = await import('../../src/client/index.ts')
      return (await call(at, 'status')).connections
    }
    await until(async () => child.exitCode !== null || (await connections()) > 1, `${name} to start`, 30_000)
    if (child.exitCode !== null) expect([name, child.exitCode]).toEqual([name, 0])
    child.kill('SIGTERM')
    await child.exited
    await until(async () => (await connections()) <= 1, `${name} to leave`)
  }
})
