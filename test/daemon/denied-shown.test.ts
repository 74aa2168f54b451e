/** A denial is shown wherever a person looks, with who denied it: sessions, events, the fleet's screen, tmux, streams, counts. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { call, type SessionView } from '../../src/client/index.ts'
import {
  envFor,
  GANTRY,
  gantry,
  gantryJson,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { startTmux } from '../tui/terminal.ts'
import { first, hold, permission } from './approval-kit.ts'

const RULES = `rules:
  - { id: no-touch, on: PreToolUse, match: { tool.input.command: "^touch " }, decision: deny, reason: nothing is touched here }
  - { id: idle-rule, on: PreToolUse, match: { tool.input.command: "^never" }, decision: deny }
  - { id: no-plans, on: UserPromptSubmit, match: { prompt: "secret plan" }, decision: deny, reason: not that one }
`
const HANDLER = `import { deny, handler, pass } from 'gantry/sdk'
export default handler({ on: 'PreToolUse' }, ({ commands }) =>
  commands.some(({ argv }) => argv.some(({ text }) => text === 'main')) ? deny('Push to a branch.') : pass())
`
const home = makeHome('[guards]\npreset = "standard"\n[summary]\nmode = "off"\n')
let daemon: RunningDaemon
beforeAll(async () => {
  await Bun.write(join(home.rules, 'a.yaml'), RULES)
  await Bun.write(join(home.config, 'handlers/no-main.ts'), HANDLER)
  daemon = await startDaemon(home)
  await until(async () => (await gantry(home, 'handlers')).stdout.includes('ready'), 'the handler')
}, 120_000)
afterAll(() => daemon.kill('SIGTERM'))

const hook = (id: string, event: string, fields: object = {}) =>
  sendFrame(home, {
    agent: 'claude',
    event,
    payload: JSON.stringify({ hook_event_name: event, session_id: id, cwd: '/acme', ...fields }),
  })
const bash = (command: string, tool_use_id = command) => ({
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id,
})
const session = (id: string) => call(home, 'sessions.get', { session: id })
const denied = (id: string, count = 1) =>
  until(
    async () => {
      const shown = await session(id)
      return shown.denied && shown.denials === count && shown
    },
    `denial ${count} in ${id}`,
    20_000,
  )
const row = async (id: string) => {
  const { name } = await session(id)
  return (await gantry(home, 'sessions')).stdout.split('\n').find((line) => line.includes(name)) ?? ''
}

/** Who denies, a command, its line, the name, and why. */
const CASES = [
  ['a rule', 'touch x', 'touch x', 'no-touch', /^nothing is touched here$/],
  ['a guard', 'git  push -f origin dev', 'git push -f origin dev', 'guard:git-force-push', /Instead: /],
  ['a handler', 'git push origin main', 'git push origin main', 'handler:no-main', /^Push to a branch\.$/],
] as const

describe.each(CASES)('a call that %s denies', (_, command, line, by, reason) => {
  test('is on the line of its session with who and what, until something else begins', async () => {
    const id = by.replace(':', '-')
    await hook(id, 'UserPromptSubmit', { prompt: 'go' })
    await hook(id, 'PreToolUse', bash(command))
    expect(await denied(id)).toMatchObject({
      denied: { by, tool: 'Bash', line, reason: expect.stringMatching(reason) },
    })
    expect(await row(id)).toMatch(new RegExp(`working .* denied by ${by}: ${line}`))
    expect((await gantry(home, 'session', id, '-t')).stdout).toMatch(
      new RegExp(`✗ Bash +${command} → denied by ${by}: `),
    )
    expect((await gantry(home, 'events', '--session', id)).stdout).toMatch(
      new RegExp(`PermissionDenied +denied by ${by}: Bash`),
    )
    const told = () =>
      journal<{ data: string }>(
        home,
        `SELECT data FROM bus_messages WHERE stream = 'SESSION_EVENTS' AND session_id = '${id}' ORDER BY seq`,
      ).map(({ data }) => JSON.parse(data) as SessionView)
    await until(() => told().at(-1)?.denied?.by === by, 'the denial on the stream')

    await hook(id, 'Stop')
    expect(await row(id)).toContain(`denied by ${by}: ${line}`)
    await hook(id, 'UserPromptSubmit', { prompt: 'go on' })
    expect(await row(id)).not.toContain('denied')
    await hook(id, 'PreToolUse', bash(command, 'again'))
    await denied(id, 2)
    expect((await gantry(home, 'session', id)).stdout).toContain('2 calls and prompts in all')
    await hook(id, 'PreToolUse', bash('pwd', 'after'))
    const after = await session(id)
    expect(after).toMatchObject({ denials: 2, detail: 'Bash' })
    expect(after).not.toHaveProperty('denied')
  })
})

test('a prompt that a rule denies says by whom and why', async () => {
  await hook('plan', 'UserPromptSubmit', { prompt: 'the secret plan' })
  expect(await denied('plan')).toMatchObject({ denied: { by: 'no-plans', reason: 'not that one' } })
  expect(await row('plan')).toContain('denied by no-plans: not that one')
  expect((await gantry(home, 'events', '--session', 'plan')).stdout).toMatch(
    /UserPromptDenied +denied by no-plans: not that one/,
  )
})

test('a call that a person denies says so, with their words, and counts once', async () => {
  await hook('person', 'UserPromptSubmit', { prompt: 'go' })
  await hook('person', 'PreToolUse', bash('make it'))
  const held = hold(home, permission('make it', 'person'))
  const { id } = await first(home)
  expect((await gantry(home, 'deny', id, '--message', 'not today')).exit).toBe(0)
  await held.reply
  expect(await denied('person')).toMatchObject({
    denied: { by: expect.stringMatching(/^a person, from cli/), line: 'make it', reason: 'not today' },
  })
  expect(await row('person')).toMatch(/denied by a person, from cli .*: make it/)
  expect((await gantry(home, 'session', 'person', '-t')).stdout).toMatch(/→ denied by a person.*: not today/)
})

test("it is on the fleet's screen and in the line of tmux", async () => {
  await hook('screen', 'UserPromptSubmit', { prompt: 'go' })
  await hook('screen', 'PreToolUse', bash('touch screen'))
  const { name } = await denied('screen')
  expect((await gantry(home, 'tmux', 'status')).stdout).toContain(`${name}: denied by no-touch: touch`)
  await using tmux = await startTmux()
  const pane = tmux.open([GANTRY], { env: envFor(home), width: 140, height: 40 })
  await pane.shows(/denied by no-touch: t/)
  pane.keys('/')
  pane.keys(name, 'Enter')
  await pane.shows('✗ denied by no-touch: touch screen · nothing is t')
}, 120_000)

test('rules and guards count what they did', async () => {
  await hook('counted', 'PreToolUse', bash('touch counted'))
  await hook('counted', 'PreToolUse', bash('git push -f origin dev'))
  const rules = (await gantryJson(home, 'rules', '--json')) as { id: string; hits: number }[]
  const hits = new Map(rules.map((rule) => [rule.id, rule.hits]))
  expect(hits.get('no-touch')).toBeGreaterThan(0)
  expect(hits.get('idle-rule')).toBe(0)
  expect((await gantry(home, 'rules')).stdout).toMatch(/no-touch +deny +[1-9]\d* +PreToolUse/)
  const { guards } = (await gantryJson(home, 'guards', '--json')) as {
    guards: { id: string; hits: number }[]
  }
  expect(guards.find(({ id }) => id === 'git-force-push')?.hits).toBeGreaterThan(0)
})

test('a denial shows nothing that a terminal would obey', async () => {
  await hook('hostile', 'PreToolUse', bash('touch \u001b[2Jx\u202ey'))
  await denied('hostile')
  for (const args of [['sessions'], ['session', 'hostile', '-t'], ['events', '--session', 'hostile']]) {
    const { stdout } = await gantry(home, ...args)
    for (const control of ['\u001b', '\u202e']) expect(stdout).not.toContain(control)
  }
})
