/** Every example does what it says, on Bun and on Node. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Gantry } from '../../src/sdk/index.ts'
import { event, tryHandler } from '../../src/sdk/testing/index.ts'
import { hold } from '../daemon/approval-kit.ts'
import {
  HOOK,
  makeHome,
  ROOT,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { commandFor, exampleFor, programFor, RUNTIMES, startProgram, userFolder } from './sdk-kit.ts'

const BUILD_MS = 60_000
const at = makeHome()
let daemon: RunningDaemon
let gantry: Gantry
/** Another daemon: to the first one a process above this one is an agent, and agents approve nothing. */
const alone = makeHome()
let besides: RunningDaemon
beforeAll(async () => {
  userFolder('node')
  daemon = await startDaemon(at)
  besides = await startDaemon(alone)
  gantry = await connect({ home: at.home })
}, BUILD_MS)
afterAll(async () => {
  gantry.close()
  await besides.kill('SIGKILL')
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const hook = (hook_event_name: string, session_id: string, more: object = {}) =>
  sendFrame(at, { payload: JSON.stringify({ hook_event_name, session_id, ...more }) })

const permission = (session_id: string, command: string) =>
  JSON.stringify({
    ...{ hook_event_name: 'PermissionRequest', session_id, prompt_id: session_id, cwd: '/' },
    ...{ tool_name: 'Bash', tool_input: { command } },
  })

test('there is a test for each', () => {
  const entries = readdirSync(join(ROOT, 'examples'), { withFileTypes: true })
  const names = entries.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort() // a folder's test is beside its feature's
  expect(names).toEqual([
    'auto-approve.ts',
    'coordinator.ts',
    'deny-rm-rf.ts',
    'notifier.ts',
    'rules.yaml', // held to its own examples in src/decisions/rules/when.test.ts
    'watch-sessions.ts',
  ])
})

for (const runtime of RUNTIMES) {
  const start = (name: string, ...args: string[]) =>
    startProgram([...commandFor(runtime, exampleFor(runtime, name)), ...args], at, tempDir())

  describe(`on ${runtime}`, () => {
    test('watch-sessions prints sessions as they change, and leaves when asked', async () => {
      const session = `watched-${runtime}`
      await hook('UserPromptSubmit', session, { prompt: 'go' })
      const { name } = await gantry.session(session)
      const program = start('watch-sessions.ts')
      await until(() => program.stdout().includes(`claude  ${name}  working`), 'the snapshot')
      await hook('PermissionRequest', session, { tool_name: 'Bash', tool_input: { command: 'ls' } })
      await until(
        () => program.stdout().includes(`${name}  blocked  Permission for Bash`),
        'the change',
        10_000,
      )
      program.kill('SIGTERM')
      expect({ exit: await program.exited, stderr: program.stderr() }).toEqual({ exit: 0, stderr: '' })
    }, 60_000)

    test('auto-approve says yes to what only looks, and leaves the rest to a person', async () => {
      await using person = await connect({ home: alone.home })
      const example = commandFor(runtime, exampleFor(runtime, 'auto-approve.ts'))
      const program = startProgram(example, alone, tempDir())
      const asks = (command: string) => hold(alone, permission(`${command} on ${runtime}`, command)).reply
      const looks = asks('git status')
      const writes = asks('ls; rm -rf x')
      await until(() => program.stdout().includes('left to you'), 'the one that is left')
      expect(JSON.parse((await looks).stdout).hookSpecificOutput.decision).toEqual({ behavior: 'allow' })
      await until(() => program.stdout().includes('Bash "git status"'), 'the one that only looks')
      const waiting = (await person.approvals()).filter(({ line }) => line === 'ls; rm -rf x')
      expect(waiting).toHaveLength(1)
      await person.deny(waiting[0]?.id ?? '', 'Never.')
      expect((await writes).stdout).toContain('"message":"Never."')
      await expect(person.approve(waiting[0]?.id ?? '')).rejects.toThrow('it was denied')
      program.kill('SIGTERM')
      expect({ exit: await program.exited, stderr: program.stderr() }).toEqual({ exit: 0, stderr: '' })
    }, 60_000)

    test('notifier tells once about each session that waits, also about those before it was started', async () => {
      const session = `asked-${runtime}`
      await hook('UserPromptSubmit', session, { prompt: 'go' })
      await hook('PermissionRequest', session, { tool_name: 'Write', tool_input: { file_path: 'x' } })
      const { name } = await gantry.session(session)
      const program = start('notifier.ts')
      const told = () =>
        program
          .stdout()
          .split('\n')
          .filter((line) => line.includes(`*${name}*`))
      await until(() => told().length > 0, 'the message')
      expect(JSON.parse(told()[0] as string)).toEqual({
        channel: '#agents',
        text: `:raised_hand: *${name}* (claude) waits: Permission for Write`,
      })
      await until(async () => (await lagOf('notifier')) === 0, 'all acknowledged')
      program.kill('SIGINT')
      expect({ exit: await program.exited, stderr: program.stderr() }).toEqual({ exit: 0, stderr: '' })
      const again = start('notifier.ts')
      await hook('PermissionRequest', `${session}-2`, { tool_name: 'Edit', tool_input: {} })
      await until(() => again.stdout().includes('Permission for Edit'), 'the next message')
      expect(again.stdout()).not.toContain(`*${name}*`)
      again.kill()
      expect(await again.exited).toBe(0)
    }, 60_000)

    test('coordinator collects the ends of turns and ends by itself', async () => {
      const program = start('coordinator.ts', '2')
      await until(() => program.stdout().includes('waits for 2'), 'its start')
      const before = (await gantry.status()).subscribers
      await until(async () => (await gantry.status()).subscribers >= Math.max(1, before), 'its loop')
      await hook('UserPromptSubmit', `worker-${runtime}`, { prompt: 'go' })
      await hook('Stop', `worker-${runtime}`, { last_assistant_message: 'Built.' })
      await hook('UserPromptSubmit', `worker-${runtime}`, { prompt: 'more' })
      await hook('Stop', `worker-${runtime}`, { last_assistant_message: 'Tested.' })
      expect({ exit: await program.exited, stderr: program.stderr() }).toEqual({ exit: 0, stderr: '' })
      expect(program.stdout()).toMatch(/effort \d+ is finished\n$/)
      expect((await gantry.events({ type: 'ReleaseReady' })).length).toBeGreaterThan(0)
    }, 60_000)

    test('sixty loops at once end with one close, without a word of warning', async () => {
      const code = `import { connect } from 'gantry/sdk'
const gantry = await connect()
const read = async (loop: AsyncIterable<unknown>) => { for await (const one of loop) void one }
const loops = Array.from({ length: 30 }, () => [read(gantry.subscribe()), read(gantry.messages())]).flat()
while ((await gantry.status()).subscribers < 60) await new Promise((resolve) => setTimeout(resolve, 10))
gantry.close()
await Promise.all(loops)
console.log('ended')`
      const program = startProgram(commandFor(runtime, programFor(runtime, 'many', code)), at)
      const exit = await program.exited
      expect({ exit, out: program.stdout(), err: program.stderr() }).toEqual({
        exit: 0,
        out: 'ended\n',
        err: '',
      })
    }, 60_000)

    test('deny-rm-rf stops every agent, and nothing harmless', async () => {
      const command = commandFor(runtime, exampleFor(runtime, 'deny-rm-rf.ts')).join(' ')
      await gantry.register({ id: 'no-rm-rf', events: ['PreToolUse'], command })
      // How an agent is told is the daemon's work, whatever the handler runs on.
      const asked = runtime === 'bun' ? AGENTS : (['claude'] as const)
      for (const agent of asked) {
        const ask = async (command: string) => {
          const { payload, native } = event.preToolUse({ agent, session: `rm-${agent}`, input: { command } })
          const { stdout, stderr } = await run([...BESIDE, HOOK, agent, native], at, JSON.stringify(payload))
          return stdout + stderr
        }
        expect({ agent, said: await ask('rm -rf build') }).toEqual({
          agent,
          said: expect.stringContaining('Remove files one by one'),
        })
        expect({ agent, said: await ask('ls build') }).toEqual({ agent, said: '' })
      }
      const [handler] = (await gantry.call('bus.handlers')) as { failures: number; runs: number }[]
      expect(handler).toMatchObject({ failures: 0, runs: 2 * asked.length })
      await gantry.unregister('no-rm-rf')
    }, 60_000)
  })
}

test('deny-rm-rf knows every way to say it, and what only looks like it', async () => {
  const { handler } = await import('../../examples/deny-rm-rf.ts')
  const answer = (command: string) => tryHandler(handler, event.preToolUse({ input: { command } }))
  for (const line of ['rm -rf build', ...SPELLINGS])
    expect({ line, said: await answer(line) }).toMatchObject({
      line,
      said: { block: true, reason: expect.stringContaining('one by one') },
    })
  for (const line of HARMLESS) expect({ line, said: await answer(line) }).not.toHaveProperty('said.block')
})

const AGENTS = ['claude', 'codex', 'gemini', 'copilot', 'opencode'] as const

/** An agent beside this process: whoever takes out a handler must not be below one. */
const BESIDE = ['perl', '-e', 'exit(system(@ARGV) >> 8)']

const SPELLINGS = [
  'rm -r -f build',
  'rm --recursive --force build',
  'cd x && rm -R --force build',
  'rm build -f -v -r',
  'rm "-fr" build',
  'rm --rec --f build',
]
const HARMLESS = ['rm -f one.txt', 'rm -r build; cp -f a b', 'rm -- -rf', 'rm one-rf.txt', 'echo warm -rf']

async function lagOf(name: string): Promise<number | undefined> {
  const consumers = (await gantry.call('bus.consumers')) as { name: string; lag: number }[]
  return consumers.find((consumer) => consumer.name === name)?.lag
}
