/** A tool call that gantry denied is over at once: in the session, and in its timeline with who denied it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import {
  type FixtureLine,
  fixtureLines,
  gantry,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'

const RULES = `rules:
  - { id: no-force-push, on: PreToolUse, match: { tool.input.command: "--force" }, decision: deny, reason: "history: keep it" }
  - { id: as-recorded, on: PreToolUse, match: { tool.input.command: "^touch " }, decision: deny }
  - { id: doubt, on: PreToolUse, match: { tool.input.command: "doubt" }, decision: ask }
  - { id: no-questions, on: PreToolUse, match: { tool.name: "AskUserQuestion" }, decision: deny }
  - { id: no-dialogs, on: PermissionRequest, match: { tool.input.command: "dialog" }, decision: deny }
`
const home = makeHome('[summary]\nmode = "off"\n')
let daemon: RunningDaemon
beforeAll(async () => {
  await Bun.write(join(home.rules, 'a.yaml'), RULES)
  daemon = await startDaemon(home)
})
afterAll(() => daemon.kill('SIGTERM'))

const hook = (agent: string, id: string, event: string, fields: object = {}, header = {}) =>
  sendFrame(home, {
    agent,
    event,
    payload: JSON.stringify({ hook_event_name: event, session_id: id, cwd: '/acme', ...fields }),
    ...header,
  })
const bash = (command: string, tool_use_id: string) => ({
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id,
})
const session = (id: string) => call(home, 'sessions.get', { session: id })
const entries = async (id: string) => (await call(home, 'sessions.timeline', { session: id })).entries
const lines = async (id: string) => (await gantry(home, 'session', id, '--timeline')).stdout
const denials = (id: string) =>
  journal<{ raw: string }>(
    home,
    `SELECT raw FROM events WHERE session_id = '${id}' AND type = 'PermissionDenied' ORDER BY seq`,
  )
const isDenied = (id: string, count = 1) =>
  until(() => denials(id).length >= count, 'the end of what was denied')

describe('a call that a rule denies', () => {
  const recorded = [
    ['claude', '2.1.325/d-pre-deny.jsonl', 'PreToolUse'],
    ['claude', '2.0.77/old-deny.jsonl', 'PreToolUse'],
    ['codex', '0.166.0/pre-deny-hso.jsonl', 'PreToolUse'],
    ['gemini', '0.61.0/before-deny-json.jsonl', 'BeforeTool'],
    ['copilot', '1.0.102/copilot-deny.jsonl', 'preToolUse'],
    ['opencode', '1.18.33/opencode-deny.jsonl', 'tool.execute.before'],
  ] as const
  test.each(recorded)('is over at once, and told once: %s %s', async (agent, file, before) => {
    const tell = ({ event, payload }: FixtureLine) =>
      sendFrame(home, {
        agent,
        event: event.replace(/^event:/, ''),
        payload: JSON.stringify(payload),
      })
    const story = fixtureLines(join(agent, file))
    const at = story.findIndex(({ event }) => event === before)
    for (const line of story.slice(0, at)) await tell(line)
    const reply = await tell(story[at] as FixtureLine)
    expect(`${reply?.stdout}${reply?.stderr}`).toContain('as-recorded')
    const [{ session_id: id = '' } = {}] = journal<{ session_id: string }>(
      home,
      "SELECT session_id FROM events WHERE type = 'PreToolUse' ORDER BY seq DESC LIMIT 1",
    )
    await isDenied(id)
    expect(await session(id)).toMatchObject({
      ...{ phase: 'working', detail: 'Thinking', openTools: [], denials: 1 },
      denied: { by: 'as-recorded', line: expect.stringMatching(/^touch /) },
    })
    const denied = { kind: 'error', text: expect.stringMatching(/ → denied by as-recorded$/) }
    const calls = async () => (await entries(id)).filter(({ kind }) => kind === 'tool' || kind === 'error')
    for (const rest of [[], story.slice(at + 1)]) {
      for (const line of rest) await tell(line)
      const told = await calls()
      expect(told).toMatchObject([denied])
      expect(told[0]).not.toHaveProperty('tookMs')
      expect(told[0]).not.toHaveProperty('open')
    }
    expect(denials(id)).toHaveLength(1)
    const [event] = await call(home, 'events.list', { session: id, type: 'PermissionDenied' })
    expect(event).toMatchObject({ fields: { by: 'as-recorded' } })
    expect(event).not.toHaveProperty('unknown')
    expect((await session(id)).denials).toBe(1)
  })

  test('says so on its line, with no duration; others run on', async () => {
    await hook('claude', 'push', 'UserPromptSubmit', { prompt: 'ship it' })
    await hook('claude', 'push', 'PreToolUse', bash('make', 't0'))
    await hook('claude', 'push', 'PreToolUse', bash('git push --force', 't1'))
    await isDenied('push')
    expect(await session('push')).toMatchObject({ detail: 'Bash', openTools: [{ name: 'Bash' }] })
    const shown = await lines('push')
    expect(shown).toMatch(/✗ Bash +git push --force → denied by no-force-push: history: keep it *$/m)
    expect(shown).toMatch(/▸ Bash +make .*runs/)
    expect(JSON.parse(denials('push')[0]?.raw ?? '')).toMatchObject({
      tool_use_id: 't1',
      reason: 'refused by no-force-push: history: keep it',
    })
    await hook('claude', 'push', 'Stop')
    expect(await lines('push')).toMatch(
      /✗ Bash +git push --force → denied by no-force-push: history: keep it *$/m,
    )
  })

  test('by an agent that cannot be told runs', async () => {
    await hook('somebody', 'strange', 'PreToolUse', bash('git push --force', 't1'))
    expect(await session('strange')).toMatchObject({ openTools: [{ name: 'Bash' }] })
    await hook('somebody', 'strange', 'PostToolUse', bash('git push --force', 't1'))
    expect(denials('strange')).toEqual([])
  })

  test('because its agent cannot ask is denied; one that can ask asks', async () => {
    await hook('claude', 'can', 'PreToolUse', bash('doubt', 't1'))
    await hook('codex', 'cannot', 'PreToolUse', bash('doubt', 't1'))
    await isDenied('cannot')
    expect(await lines('cannot')).toMatch(/✗ Bash +doubt → denied by doubt *$/m)
    expect(await session('can')).toMatchObject({ openTools: [{ name: 'Bash' }] })
    expect(denials('can')).toEqual([])
  })

  test('waits for nobody, when it is a question', async () => {
    const question = { tool_name: 'AskUserQuestion', tool_input: { question: 'Which?' }, tool_use_id: 't1' }
    await hook('claude', 'curious', 'UserPromptSubmit', { prompt: 'go' })
    await hook('claude', 'curious', 'PreToolUse', question)
    await isDenied('curious')
    expect(await session('curious')).toMatchObject({ phase: 'working', attention: [], openTools: [] })
    expect(await lines('curious')).toMatch(/△ question +Which\? → denied by no-questions/)
  })
})

test('a permission that a rule denies waits for nobody, and its call is over', async () => {
  await hook('codex', 'dialog', 'UserPromptSubmit', { prompt: 'go' })
  await hook('codex', 'dialog', 'PreToolUse', bash('a dialog', 't1'))
  const { tool_use_id: _, ...asked } = bash('a dialog', 't1')
  await hook('codex', 'dialog', 'PermissionRequest', asked)
  await isDenied('dialog')
  expect(await session('dialog')).toMatchObject({ phase: 'working', attention: [], openTools: [] })
  expect(await lines('dialog')).toMatch(/✗ Bash +a dialog → denied by no-dialogs/)
})

test('a call that a registered command denies', async () => {
  const command = `grep -q forbidden && echo '{"block":true,"reason":"no"}' || echo '{}'`
  await call(home, 'bus.register', { id: 'gate', events: ['PreToolUse'], command, priority: 50 })
  await hook('gemini', 'gated', 'BeforeTool', {
    tool_name: 'run_shell_command',
    tool_input: { command: 'forbidden' },
  })
  await isDenied('gated')
  expect(await lines('gated')).toMatch(/✗ run_shell_\S+ +forbidden → denied by handler:gate: no *$/m)
  await call(home, 'bus.unregister', { id: 'gate' })
})

test('a call of hooks.preToolUse that was denied', async () => {
  for (const agent of ['claude', 'somebody']) {
    const id = `rpc-${agent}`
    const args = { agent, session_id: id, cwd: '/acme', ...bash('git push --force', 't1') }
    expect(await call(home, 'hooks.preToolUse', args)).toMatchObject({ allow: false })
    await isDenied(id)
    expect(await lines(id)).toMatch(
      /✗ Bash +git push --force → denied by no-force-push: history: keep it *$/m,
    )
    expect((await session(id)).openTools).toEqual([])
  }
})

test('a call that the heartbeat of an effort denied', async () => {
  const cwd = tempDir()
  const metadata = { settings: { heartbeat_block: 2 } }
  const { id } = await call(home, 'effort.start', { skill: 'fix', cwd, metadata })
  await hook('claude', 'silent', 'UserPromptSubmit', { prompt: 'go', cwd })
  await hook('claude', 'silent', 'PreToolUse', { ...bash('one', 't1'), cwd })
  await hook('claude', 'silent', 'PreToolUse', { ...bash('two', 't2'), cwd })
  await isDenied('silent')
  expect(await lines('silent')).toMatch(/✗ Bash +two → denied by the effort: 2 tool calls without .*$/m)
  expect((await session('silent')).openTools).toHaveLength(1)
  await call(home, 'effort.finish', { effort: id })
})

test('a daemon that starts again knows it', async () => {
  await hook('gemini', 'again', 'BeforeAgent', { prompt: 'go' })
  await hook('gemini', 'again', 'BeforeTool', {
    tool_name: 'run_shell_command',
    tool_input: { command: 'git push --force' },
  })
  await isDenied('again')
  await daemon.kill('SIGKILL')
  daemon = await startDaemon(home)
  expect(await session('again')).toMatchObject({ detail: 'Thinking', openTools: [] })
})
