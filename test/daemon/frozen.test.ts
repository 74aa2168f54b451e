/** A daemon that stands still and goes on: agents lose one wait, the journal loses nothing, decisions come back. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import { DECIDER_GAVE_UP_MODE, OBSERVER_GAVE_UP_MODE, SOCKET_MODE } from '../../src/client/wire.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { HOOK, journal, makeHome, type Ran, run, startDaemon, until } from '../kit.ts'

setDefaultTimeout(120_000)

const RULES = `rules: [{ id: no, on: PreToolUse, match: { tool.input.command: '^rm' }, decision: deny, reason: never }]`

/** A home with a rule that denies. */
function ruled(): Places {
  const at = makeHome()
  mkdirSync(at.rules, { mode: 0o700, recursive: true })
  writeFileSync(join(at.rules, 'a.yaml'), RULES)
  return at
}

function hook(at: Places, event: string, more: Record<string, unknown> = {}): Promise<Ran> {
  const payload = { hook_event_name: event, session_id: 's1', cwd: '/', ...more }
  return run([HOOK, 'claude', event], at, JSON.stringify(payload), { GANTRY_NO_AUTOSTART: '1' })
}

const rm = (at: Places) =>
  hook(at, 'PreToolUse', { tool_name: 'Bash', tool_input: { command: 'rm x' }, tool_use_id: 't1' })

const modeOf = (at: Places) => statSync(at.socket).mode & 0o777
const isWaitedFor = (at: Places) => modeOf(at) === SOCKET_MODE
const types = (at: Places) => journal<{ type: string }>(at).map(({ type }) => type)

/** A call that a rule denies is over. */
const DENIED = ['PreToolUse', 'PermissionDenied']

test.concurrent('nobody waits a second time; then everything is there once, in order, and rules decide again', async () => {
  const at = ruled()
  await using daemon = await startDaemon(at)
  expect((await rm(at)).stdout).toContain('never')
  process.kill(daemon.pid, 'SIGSTOP')
  const sent = ['Notification', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']
  const marks: { mode: number; at: number }[] = []
  for (const event of sent) {
    expect(await hook(at, event)).toEqual({ exit: 0, stdout: '', stderr: '' })
    marks.push({ mode: modeOf(at), at: statSync(at.socket).mtimeMs })
  }
  // Whoever waits in vain marks the socket: an observer, then the first decider, and nobody after that.
  const [observer, decider, ...others] = marks
  expect([observer?.mode, decider?.mode]).toEqual([OBSERVER_GAVE_UP_MODE, DECIDER_GAVE_UP_MODE])
  for (const mark of others) expect(mark).toEqual(decider ?? mark)
  process.kill(daemon.pid, 'SIGCONT')
  await until(() => isWaitedFor(at), 'a socket that is waited for')
  expect(readdirSync(at.spool)).toEqual([]) // older events come first
  expect((await rm(at)).stdout).toContain('never')
  await until(() => types(at).length === sent.length + 4, 'all events')
  expect(types(at)).toEqual([...DENIED, ...sent, ...DENIED])
  expect(await call(at, 'doctor')).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      about: 'daemon',
      message: expect.stringContaining('without it, once (last'),
    }),
  )
})

test.concurrent('a hiccup is over as soon as the daemon goes on, without a client that asks', async () => {
  const at = ruled()
  await using daemon = await startDaemon(at)
  for (let round = 0; round < 3; round++) {
    process.kill(daemon.pid, 'SIGSTOP')
    await hook(at, 'Notification')
    expect(modeOf(at)).toBe(OBSERVER_GAVE_UP_MODE)
    process.kill(daemon.pid, 'SIGCONT')
    await until(() => isWaitedFor(at), 'a socket that is waited for')
    expect((await rm(at)).stdout).toContain('never')
  }
})

test.concurrent('one that is killed meanwhile leaves no mark to the next', async () => {
  const at = ruled()
  const first = await startDaemon(at)
  process.kill(first.pid, 'SIGSTOP')
  await hook(at, 'Notification')
  await hook(at, 'Stop')
  await first.kill('SIGKILL')
  expect(modeOf(at)).toBe(DECIDER_GAVE_UP_MODE)
  await using _next = await startDaemon(at)
  expect(isWaitedFor(at)).toBe(true)
  expect(types(at)).toEqual(['Notification', 'Stop'])
  expect((await rm(at)).stdout).toContain('never')
})
