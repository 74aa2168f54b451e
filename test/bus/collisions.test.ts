/** Two hosts on one NATS: a file of the same repository, written on one, is told on the other until the writer has ended. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import { tempDir, until } from '../kit.ts'
import { startServer } from '../nats-kit.ts'
import { type Host, host, keysOf } from './fleet-kit.ts'

setDefaultTimeout(120_000)

function clone(url: string): string {
  const dir = join(realpathSync(tempDir()), 'app')
  mkdirSync(join(dir, '.git'), { recursive: true })
  writeFileSync(join(dir, '.git/config'), `[remote "origin"]\nurl = ${url}\n`)
  return dir
}

test('a file that a session of another host wrote is told, and not once that session has ended', async () => {
  const server = await startServer()
  const [alpha, beta] = [await host(server, 'alpha'), await host(server, 'beta.example')]
  const [here, there] = [clone('git@git.example:acme/app.git'), clone('https://git.example/acme/app')]
  const send = async (on: Host, session: string, event: string, cwd: string, file: string) => {
    const tool = { tool_name: 'Write', tool_input: { file_path: join(cwd, file), content: 'x' } }
    const ran = (await on.say(session, event, { cwd, prompt_id: 'p', ...tool, tool_response: {} })) as {
      stdout: string
    }
    return ran.stdout
  }
  const known = (on: Host) => call(on.at, 'files.recent', {})
  await send(beta, 'b1', 'PostToolUse', there, 'src/a.ts')
  await send(beta, 'b1', 'PostToolUse', there, 'src/b.ts')
  await alpha.say('a1', 'SessionStart', { cwd: here, source: 'startup' })
  const heard = await until(
    async () => {
      const all = await known(alpha)
      return all.length === 2 ? all : undefined
    },
    'what beta wrote',
    30_000,
  )
  expect(heard[0]).toMatchObject({
    path: 'src/b.ts',
    host: 'beta.example',
    repository: 'git.example/acme/app',
    ended: false,
  })
  expect(await keysOf(server, 'GANTRY_WRITES')).toEqual(['beta_example.claude=b1'])

  await send(alpha, 'a1', 'PostToolUse', here, 'other.ts') // its repository is read by now
  await until(async () => (await known(alpha)).some(({ worktree }) => worktree === here), 'its own')
  const told = await send(alpha, 'a1', 'PreToolUse', here, 'src/a.ts')
  expect(told).toContain('(claude) wrote src/a.ts on host beta.example')
  expect(told).toContain('may conflict when they are merged')

  await beta.say('b1', 'SessionEnd', { reason: 'exit', cwd: there })
  await until(async () => (await known(alpha)).every(({ host }) => host === undefined), 'its end')
  expect(await send(alpha, 'a1', 'PreToolUse', here, 'src/b.ts')).not.toContain('wrote')
  await beta.daemon.kill('SIGTERM')
  await alpha.daemon.kill('SIGTERM')
})
