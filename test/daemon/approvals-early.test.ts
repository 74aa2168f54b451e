/** Copilot CLI asks its hooks before its own rules do: it is held where the configuration says so, and only then blocked. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { gantry, HOOK, makeHome, run, startDaemon, until } from '../kit.ts'
import { first, gone, hold, list, PATIENT_MS } from './approval-kit.ts'

setDefaultTimeout(120_000)

const INPUT = { command: 'npm publish', description: 'Publish', mode: 'sync' }

const payload = (fields: object) => JSON.stringify({ sessionId: 's1', cwd: '/', ...fields })
const say = (at: Places, event: string, fields: object) =>
  run([HOOK, 'copilot', event], at, payload(fields), {})
const asks = (at: Places) =>
  hold(
    at,
    payload({
      hookName: 'permissionRequest',
      toolName: 'bash',
      toolInput: { command: INPUT.command },
      permissionSuggestions: [],
    }),
    [HOOK],
    {},
    'copilot',
  )

/** In the middle of a turn, before a call. */
async function working(at: Places): Promise<void> {
  await say(at, 'sessionStart', { source: 'new', initialPrompt: 'go' })
  await say(at, 'userPromptSubmitted', { prompt: 'go' })
  await say(at, 'preToolUse', { toolName: 'bash', toolArgs: INPUT })
}

const shows = (at: Places, phase: string) =>
  until(
    async () => {
      const [session] = await call(at, 'sessions.list', { all: true })
      return session?.phase === phase ? session : undefined
    },
    `the session to be ${phase}`,
    PATIENT_MS,
  )

describe('copilot in approvals.hold', () => {
  const config = '[approvals]\nhold = ["copilot"]\n'

  test('approved: blocked and listed while it is held, then it works on', async () => {
    const at = makeHome(config)
    await using _daemon = await startDaemon(at)
    await working(at)
    const held = asks(at)
    const { id, line } = await first(at)
    expect(line).toBe('npm publish')
    expect(await shows(at, 'blocked')).toMatchObject({
      attention: [{ kind: 'permission', reason: 'Permission for bash' }],
      approvals: [{ id, tool: 'bash' }],
    })
    await gantry(at, 'approve', id)
    expect(JSON.parse((await held.reply).stdout)).toEqual({ behavior: 'allow' })
    expect(await shows(at, 'working')).toMatchObject({ attention: [], openTools: [{ name: 'bash' }] })
  })

  test('denied with a message: the call is over', async () => {
    const at = makeHome(config)
    await using _daemon = await startDaemon(at)
    await working(at)
    const held = asks(at)
    await gantry(at, 'deny', (await first(at)).id, '--message', 'not today')
    expect(JSON.parse((await held.reply).stdout)).toEqual({ behavior: 'deny', message: 'not today' })
    const isOver = async () => (await shows(at, 'working')).openTools.length === 0
    await until(isOver, 'the call to be over', PATIENT_MS)
  })

  test('nobody answers: it goes on by its own rules, and is not blocked', async () => {
    const at = makeHome(`${config}wait_s = 1\n`)
    await using _daemon = await startDaemon(at)
    await working(at)
    const held = asks(at)
    await shows(at, 'blocked')
    expect(await held.reply).toEqual({ exit: 0, stdout: '', stderr: '' })
    await shows(at, 'working')
  })

  test('its hook is ended: nobody is asked any more', async () => {
    const at = makeHome(config)
    await using _daemon = await startDaemon(at)
    await working(at)
    const held = asks(at)
    await shows(at, 'blocked')
    held.kill()
    await gone(at)
    await shows(at, 'working')
  })
})

test('without it, Copilot is neither held nor blocked', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  await working(at)
  expect(await asks(at).reply).toEqual({ exit: 0, stdout: '', stderr: '' })
  expect((await list(at)).approvals).toEqual([])
  expect((await shows(at, 'working')).attention).toEqual([])
})
