/** What a person reads off the screen of the fleet: the width is used, the command is there, what is old looks old. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  envFor,
  exchange,
  GANTRY,
  gantry,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
} from '../kit.ts'
import { startTmux, type TestPane, type Tmux } from './terminal.ts'

setDefaultTimeout(120_000)

const HOUR_MS = 3_600_000
const PROMPT =
  'go through every translation and mend what the last release broke, then write down what is left over'
const RULES = `rules:
  - id: no-force
    on: PreToolUse
    tool: Bash
    match: { tool.input.command: push --force }
    decision: deny
    reason: No force.
`
const home = makeHome('[summary]\nmode = "off"\n')
let daemon: RunningDaemon
let tmux: Tmux

const tell = (session_id: string, hook_event_name: string, more: object = {}, ago = 0) =>
  sendFrame(home, {
    event: hook_event_name,
    at: Date.now() - ago,
    payload: JSON.stringify({ session_id, hook_event_name, cwd: '/srv/shop', ...more }),
  })
const bash = (command: string, tool_use_id: string) => ({
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id,
})

beforeAll(async () => {
  mkdirSync(home.rules, { recursive: true })
  writeFileSync(join(home.rules, 'rules.yaml'), RULES)
  daemon = await startDaemon(home)
  await tell('long', 'UserPromptSubmit', { prompt: PROMPT }, 2 * HOUR_MS)
  await tell('old', 'UserPromptSubmit', { prompt: 'count the stock' }, 10 * HOUR_MS)
  await tell('old', 'PreToolUse', bash('make count', 'o1'), 10 * HOUR_MS)
  await tell('asks', 'UserPromptSubmit', { prompt: 'publish it' }, 90_000)
  await tell('asks', 'PreToolUse', bash('npm test', 'a1'), 80_000)
  await tell('asks', 'PermissionRequest', bash('npm test', 'a1'), 79_000)
  await tell('asks', 'PostToolUse', { ...bash('npm test', 'a1'), tool_response: {} }, 60_000)
  await tell('asks', 'PreToolUse', bash('git push --force', 'a2'), 50_000)
  await tell('asks', 'PreToolUse', bash('npm publish', 'a3'), 40_000)
  await tell('asks', 'PermissionRequest', bash('npm publish', 'a3'), 40_000)
  const args = {
    session_id: 'called',
    hook_event_name: 'UserPromptSubmit',
    cwd: '/srv/shop',
    prompt: 'by a call',
  }
  await exchange(home, Buffer.from(`${JSON.stringify({ cmd: 'hooks.userPrompt', args })}\n`))
  tmux = await startTmux()
}, 120_000)

afterAll(async () => {
  await tmux[Symbol.asyncDispose]()
  await daemon.kill('SIGTERM')
})

/** One screen of each width: a start of the fleet takes longer than most of these tests. */
const panes = new Map<number, TestPane>()
async function open(width: number): Promise<TestPane> {
  const pane = panes.get(width) ?? tmux.open([GANTRY], { env: envFor(home), width, height: 36 })
  panes.set(width, pane)
  await pane.shows('● live')
  pane.keys('n') // the one that asks
  await pane.shows(/▌ +▲/)
  return pane
}

test.each([80, 130])(
  'at %i columns a row is filled with what was asked for, and ends with "…"',
  async (width) => {
    const pane = await open(width)
    const row =
      (await pane.shows(/go through every/)).split('\n').find((one) => one.includes('go through')) ?? ''
    // At 130 the detail is beside the tree; neither leaves a column for contexts and costs that nobody told.
    expect(row.split('│')[0]).toMatch(/go through every.*\S… +2h/)
    expect(/… +2h/.exec(row)?.[0].length).toBeLessThan(9)
  },
)

test('a permission has its command, and where it can be answered', async () => {
  const pane = await open(100)
  const screen = await pane.shows(/▲ Permission for Bash +waits \d+s\n +npm publish/)
  expect(screen).toContain('answer it in its own terminal')
  expect(screen).not.toMatch(/a approve/)
})

test('the timeline of the screen and of the command line are one: in order, approved and denied as it was', async () => {
  const pane = await open(100)
  const screen = await pane.shows(/▲ permission: Bash npm publish/)
  const name = /── ✻ (\S+) ─/.exec(screen)?.[1] ?? ''
  const { stdout } = await gantry(home, 'session', name, '--timeline')
  for (const text of [screen.slice(screen.indexOf('timeline  screen')), stdout]) {
    const lines = text.split('\n').filter((one) => /publish it|npm test|--force|npm publish/.test(one))
    const order = ['publish it', 'npm test', '--force', 'npm publish']
    const places = order.map((one) => lines.findIndex((line) => line.includes(one)))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect(lines.filter((line) => line.includes('npm test') && /waits/.test(line))).toEqual([])
    expect(lines.filter((line) => line.includes('--force')).join('\n')).toMatch(/denied/)
    expect(lines.filter((line) => line.includes('--force')).join('\n')).not.toMatch(/\d+s$/m)
  }
})

test('what has been silent for hours is marked, and nothing of it is green', async () => {
  const pane = await open(100)
  await pane.shows(/◇ .*stale/)
  const painted = tmux.run('capture-pane', '-p', '-e', '-t', pane.id).split('\n')
  expect(painted.find((line) => line.includes('◇'))).not.toContain('38;5;2m')
})

test('a session says how long it has been there', async () => {
  const pane = await open(100)
  pane.keys('/', 'translation')
  await pane.shows(/claude · age 2h/)
  pane.keys('Escape')
  await pane.shows('publish it') // all sessions again, for the next test
})

test('a session that comes by calls alone is there as any other', async () => {
  const pane = await open(100)
  await pane.shows(/● ✻ \S+ +.*by a call/)
  expect((await gantry(home, 'tmux', 'status')).stdout).toContain('●2')
})
