/** A prompt that was refused: no agent sends a hook after it, so gantry says itself that no turn follows. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { call, type SessionView } from '../../src/client/index.ts'
import {
  fixtureLines,
  gantryJson,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'

const RULES = `rules:
  - { id: no-secrets, on: UserPromptSubmit, match: { prompt: "refuse|go now" }, decision: deny, reason: not that one }
  - { id: no-kin, on: PreToolUse, match: { tool.input.agent_name: "^unwanted$" }, decision: deny, reason: alone }
  - { id: doubt, on: UserPromptSubmit, match: { prompt: "doubt" }, decision: ask, reason: really? }
`
const home = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  await Bun.write(join(home.rules, 'a.yaml'), RULES)
  daemon = await startDaemon(home)
})
afterAll(() => daemon.kill('SIGTERM'))

const hook = (agent: string, id: string, event: string, fields: object = {}) =>
  sendFrame(home, {
    agent,
    event,
    payload: JSON.stringify({ hook_event_name: event, session_id: id, cwd: '/acme', ...fields }),
  })
const session = async (id: string) => (await gantryJson(home, 'session', id, '--json')) as SessionView
const told = (id: string) =>
  journal<{ type: string; transport: string; raw: string }>(
    home,
    `SELECT type, transport, raw FROM events WHERE session_id = '${id}' ORDER BY seq`,
  )
const denied = (id: string) => told(id).filter(({ type }) => type === 'UserPromptDenied')

describe('a prompt that a rule refuses', () => {
  const prompts = [
    ['claude', '2.1.325/basic.jsonl', 'UserPromptSubmit'],
    ['codex', '0.166.0/basic.jsonl', 'UserPromptSubmit'],
    ['gemini', '0.61.0/basic.jsonl', 'BeforeAgent'],
    ['copilot', '1.0.102/copilot-basic.jsonl', 'userPromptSubmitted'],
    ['opencode', '1.18.33/opencode-basic.jsonl', 'chat.message'],
  ] as const
  test.each(prompts)('ends its turn at once: %s', async (agent, file, event) => {
    const line = fixtureLines(join(agent, file)).find((one) => one.event === event)
    const raw = JSON.stringify(line?.payload).replace(/"prompt": ?"[^"]*"/, '"prompt":"refuse this"')
    const reply = await sendFrame(home, { agent, event, payload: raw })
    expect(`${reply?.exit}${reply?.stdout}${reply?.stderr}`).toContain('not that one')
    const listed = async () =>
      (await call(home, 'sessions.list', { all: true })).find((one) => one.agent === agent)
    await until(async () => (await listed())?.phase === 'idle', 'the end of the turn')
    const shown = await listed()
    expect(shown?.turn.open).toBe(false)
    expect(shown).toMatchObject({ detail: 'refused by no-secrets: not that one', seen: true })
    expect(denied(shown?.id ?? '')).toMatchObject([{ transport: 'healer' }])
    expect(JSON.parse(denied(shown?.id ?? '')[0]?.raw ?? '')).toMatchObject({
      reason: 'refused by no-secrets: not that one',
    })
  })

  test('also the first one, which its session was made for: opencode', async () => {
    const bus = (type: string, info: object) =>
      sendFrame(home, {
        agent: 'opencode',
        event: type,
        payload: JSON.stringify({ id: 'e', type, properties: { sessionID: 'first', info }, prompted: true }),
      })
    await bus('session.created', { id: 'first', title: 'New session - now', directory: '/acme' })
    expect(await session('first')).toMatchObject({ phase: 'working', turn: { open: true } })
    const message = {
      input: { sessionID: 'first' },
      output: { parts: [{ type: 'text', text: 'refuse this' }] },
    }
    await sendFrame(home, { agent: 'opencode', event: 'chat.message', payload: JSON.stringify(message) })
    await until(async () => (await session('first')).phase === 'idle', 'the end of the turn')
  })

  test('also where a person would have to be asked, which no agent can', async () => {
    await hook('gemini', 'asked', 'BeforeAgent', { prompt: 'a doubt' })
    await until(async () => (await session('asked')).phase === 'idle', 'the end of the turn')
    expect(denied('asked')).toHaveLength(1)
  })

  test('the next one is a turn like any other', async () => {
    await hook('gemini', 'next', 'BeforeAgent', { prompt: 'refuse this' })
    await until(async () => (await session('next')).phase === 'idle', 'the end of the turn')
    await hook('gemini', 'next', 'BeforeAgent', { prompt: 'and this' })
    expect(await session('next')).toMatchObject({ phase: 'working', lastPrompt: 'and this', seen: false })
    expect(await session('next')).not.toHaveProperty('detail')
    await hook('gemini', 'next', 'AfterAgent')
    expect((await session('next')).phase).toBe('idle')
    expect(denied('next')).toHaveLength(1)
  })

  test('while a turn goes on, that turn goes on', async () => {
    await hook('claude', 'midway', 'UserPromptSubmit', { prompt: 'do it' })
    await hook('claude', 'midway', 'UserPromptSubmit', { prompt: 'refuse this' })
    await hook('claude', 'midway', 'PostToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't1' })
    expect((await session('midway')).phase).toBe('working')
    expect(denied('midway')).toEqual([])
  })

  test('what runs in the background runs on', async () => {
    await hook('claude', 'beside', 'UserPromptSubmit', { prompt: 'do it' })
    await hook('claude', 'beside', 'SubagentStart', { agent_id: 'a1', agent_type: 'Explore' })
    await hook('claude', 'beside', 'Stop', {
      background_tasks: [{ id: 'a1', type: 'subagent', status: 'running', description: 'look' }],
    })
    await hook('claude', 'beside', 'UserPromptSubmit', { prompt: 'refuse this' })
    await until(() => denied('beside').length > 0, 'the end of the turn')
    await until(async () => !(await session('beside')).turn.open, 'the end of the turn')
    expect(await session('beside')).toMatchObject({
      phase: 'working',
      children: [{ agentId: 'a1', phase: 'working' }],
      background: [{ id: 'a1' }],
    })
  })

  test('by an agent that cannot be told stands for nothing', async () => {
    await hook('somebody', 'deaf', 'UserPromptSubmit', { prompt: 'refuse this' })
    expect((await session('deaf')).phase).toBe('working')
    await hook('somebody', 'deaf', 'PreToolUse', { tool_name: 'x', tool_input: {} })
    expect(denied('deaf')).toEqual([])
  })
})

test('a sub-agent that a rule refuses never was', async () => {
  const of = (agent: string) => ({
    tool_name: 'invoke_agent',
    tool_input: { agent_name: agent, prompt: 'look' },
  })
  await hook('gemini', 'kin', 'BeforeAgent', { prompt: 'do it' })
  await hook('gemini', 'kin', 'BeforeTool', of('wanted'))
  await hook('gemini', 'kin', 'BeforeTool', of('unwanted'))
  const kin = async () => (await session('kin')).children.map(({ type, phase }) => `${type} ${phase}`)
  await until(async () => (await kin()).includes('unwanted ended'), 'the end of what was refused')
  expect(await kin()).toEqual(['wanted working', 'unwanted ended'])
  expect(told('kin').at(-1)).toMatchObject({ type: 'PermissionDenied', transport: 'healer' })
})

test('a prompt that a registered command refuses ends its turn, too', async () => {
  const command = `grep -q forbidden && echo '{"block":true,"reason":"no"}' || echo '{}'`
  await call(home, 'bus.register', { id: 'gate', events: ['UserPromptSubmit'], command, priority: 50 })
  await hook('gemini', 'gated', 'BeforeAgent', { prompt: 'the forbidden one' })
  await until(async () => (await session('gated')).phase === 'idle', 'the end of the turn')
  expect(denied('gated')).toHaveLength(1)
  await call(home, 'bus.unregister', { id: 'gate' })
})

test('a daemon that starts again knows it', async () => {
  await hook('gemini', 'again', 'BeforeAgent', { prompt: 'refuse this' })
  await until(() => denied('again').length > 0, 'the end of the turn')
  await daemon.kill('SIGKILL')
  daemon = await startDaemon(home)
  expect((await session('again')).phase).toBe('idle')
})
