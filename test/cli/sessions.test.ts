/** `gantry sessions` as a person, a pipe and a program meet it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { SessionView } from '../../src/client/index.ts'
import { widthOf } from '../../src/core/text/columns.ts'
import { STALE_MS } from '../../src/sessions/state/index.ts'
import {
  envFor,
  GANTRY,
  gantry,
  gantryJson,
  makeHome,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { startTmux, type Tmux } from '../tui/terminal.ts'
import { makeWorld, type World } from '../tui/world.ts'

const home = makeHome('[summary]\nmode = "off"\n')
let daemon: RunningDaemon
let world: World
let tmux: Tmux

beforeAll(async () => {
  daemon = await startDaemon(home)
  world = await makeWorld(home)
  tmux = await startTmux()
}, 120_000)

afterAll(async () => {
  await tmux[Symbol.asyncDispose]()
  await daemon.kill('SIGTERM')
})

const table = async (env: Record<string, string>, ...args: string[]) => {
  const { stdout } = await run([GANTRY, 'sessions', ...args], home, '', env)
  return stdout.trimEnd().split('\n')
}

const names = (lines: readonly string[]) => lines.slice(1).map((line) => line.split(/\s+/)[1])

describe('the order', () => {
  test('is that of those who need you, by the one definition: soft attention comes after', async () => {
    const at = makeHome('[summary]\nmode = "off"\n')
    await using _daemon = await startDaemon(at)
    const tell = (session_id: string, hook_event_name: string, more = {}) =>
      sendFrame(at, {
        event: hook_event_name,
        payload: JSON.stringify({ session_id, hook_event_name, ...more }),
      })
    await tell('blocked', 'UserPromptSubmit', { prompt: 'go' })
    await tell('blocked', 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } })
    await tell('soft', 'UserPromptSubmit', { prompt: 'go' })
    await tell('soft', 'Stop', {})
    await tell('soft', 'Notification', { notification_type: 'idle_prompt', message: 'waiting' })
    await tell('works', 'UserPromptSubmit', { prompt: 'go' })
    const list = (await gantryJson(at, 'sessions', '--json')) as SessionView[]
    expect(list.map(({ id, needsYou }) => [id, needsYou])).toEqual([
      ['blocked', true],
      ['soft', false],
      ['works', false],
    ])
    const coop = (await gantryJson(at, 'sessions', '--dialect', 'coop')) as { id: string }[]
    expect(coop.map(({ id }) => id)).toEqual(['blocked', 'soft', 'works'])
  }, 120_000)

  test('is the same in the table, which names what it shows', async () => {
    const lines = await table({})
    expect(lines[0]).toBe('  NAME           AGENT    PROJECT STATE      FOR AGE CTX   COST WHAT')
    expect(lines.slice(1, 4).map((line) => line[0])).toEqual(['✖', '▲', '▲'])
    expect(lines[3]).toBe(
      '▲ lively-ferret  claude   acme    needs you   2m 14m 46%  $1.92 Permission for Bash · cut the 2.4 release and publish it',
    )
    expect(lines[1]).toContain('failed     10m 45m 22%  $0.74 rate limit · rebuild')
  })
})

describe('the width', () => {
  test.each(['40', '60', '80', '100', '130'])('of %s columns holds every row on a line', async (COLUMNS) => {
    const lines = await table({ COLUMNS })
    expect(lines).toHaveLength(13)
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(Number(COLUMNS))
  })

  test('of a pipe has no end', async () => {
    await world.tell('fresh', 'UserPromptSubmit', { prompt: `a ${'long '.repeat(60)}prompt` })
    const lines = await table({})
    expect(lines.join('\n')).not.toContain('…')
    expect(lines.some((line) => line.endsWith('long prompt'))).toBe(true)
  })
})

describe('a filter', () => {
  test('keeps those that need you, those of an agent, those of a project', async () => {
    expect(names(await table({}, '--needs'))).toEqual(['quiet-mole', 'clever-penguin', 'lively-ferret'])
    expect(names(await table({}, '--agent', 'copilot'))).toEqual(['sunny-dolphin'])
    expect(names(await table({}, '--project', 'Website'))).toEqual(['quiet-mole', 'golden-buck'])
    expect(names(await table({}, '--project', 'acme', '--needs', '--agent', 'claude'))).toHaveLength(2)
    const json = (await gantryJson(home, 'sessions', '--needs', '--json')) as SessionView[]
    expect(json.map(({ needsYou }) => needsYou)).toEqual([true, true, true])
    const coop = (await gantryJson(home, 'sessions', '--dialect', 'coop', '--project', 'atlas')) as object[]
    expect(coop).toHaveLength(3)
  })

  test('on a folder takes the repository around it', async () => {
    const all = (await gantryJson(home, 'sessions', '--json')) as SessionView[]
    const root = all.find(({ project }) => project === 'website')?.root ?? ''
    expect(names(await table({}, '--project', join(root, 'deep/inside')))).toEqual([
      'quiet-mole',
      'golden-buck',
    ])
  })

  test('that nobody can pass is a slip of the hand, and one that nobody passes now is not', async () => {
    const slip = await gantry(home, 'sessions', '--agent', 'cladue')
    expect([slip.exit, slip.stderr]).toEqual([2, expect.stringContaining('Did you mean claude?')])
    const other = await gantry(home, 'sessions', '--project', 'atlss')
    expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining('Did you mean atlas?')])
    const folder = await gantry(home, 'sessions', '--project', '/no/../such/folder')
    expect(folder.stderr).toContain('No session is of the project "/such/folder".')
    const none = await gantry(home, 'sessions', '--agent', 'copilot', '--needs')
    expect([none.exit, none.stdout]).toEqual([0, expect.stringContaining('No session matches.')])
  })
})

test('how long a session has been there is in the table, in its own page and in JSON', async () => {
  const list = (await gantryJson(home, 'sessions', '--json')) as SessionView[]
  const golden = list.find(({ name }) => name === 'golden-buck')
  expect(Math.floor((golden?.durationMs ?? 0) / 3_600_000)).toBe(3)
  expect((await gantry(home, 'session', 'golden-buck')).stdout).toMatch(/\n {2}duration {3}3h, began \d{4}-/)
})

test('a session is found by the beginning of its name, if only one begins so', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  for (const [session_id, name] of [
    ['0a', 'witty-zebra'],
    ['0b', 'witty-yak'],
  ] as const) {
    await sendFrame(at, {
      event: 'SessionStart',
      payload: JSON.stringify({ session_id, hook_event_name: 'SessionStart' }),
    })
    await gantry(at, 'session', session_id, '--rename', name)
  }
  expect((await gantry(at, 'session', 'witty-z')).stdout).toContain('witty-zebra')
  const { exit, stderr } = await gantry(at, 'session', 'witty')
  expect([exit, stderr]).toEqual([1, expect.stringContaining('2 sessions begin with "witty": ')])
}, 120_000)

test('without a session that runs, those that ended are counted', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  expect((await gantry(at, 'sessions')).stdout).toStartWith('No sessions. Start an agent')
  for (const hook_event_name of ['SessionStart', 'SessionEnd'])
    await sendFrame(at, {
      event: hook_event_name,
      payload: JSON.stringify({ session_id: 'over', hook_event_name }),
    })
  const said = 'No session is running; 1 session has ended: gantry sessions --all\n'
  expect((await gantry(at, 'sessions')).stdout).toBe(said)
}, 120_000)

test('an event of another day has its date, and one of today stands below it', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  const payload = JSON.stringify({ session_id: 'old', hook_event_name: 'UserPromptSubmit', prompt: 'zebra' })
  await sendFrame(at, { event: 'UserPromptSubmit', at: new Date(2026, 0, 15, 2, 54, 6).getTime(), payload })
  await sendFrame(at, { event: 'UserPromptSubmit', payload })
  const { stdout } = await gantry(at, 'events', '--type', 'UserPromptSubmit')
  expect(stdout).toMatch(/^2026-01-15 02:54:06 {2}claude.*\n {11}\d\d:\d\d:\d\d {2}claude/)
  const found = await until(
    async () => (await gantry(at, 'search', 'zebra', '-n', '9')).stdout.trimEnd().split('\n').length === 2,
    'both in the index',
  ).then(() => gantry(at, 'search', 'zebra'))
  expect(found.stdout).toMatch(/^ {8}\d\d:\d\d:\d\d {2}claude.*\n2026-01-15 02:54 {2}claude/)
}, 120_000)

test('a session that was silent for hours is marked, and is not green', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  await sendFrame(at, {
    event: 'UserPromptSubmit',
    at: Date.now() - STALE_MS - 60_000,
    payload: JSON.stringify({ session_id: 'old', hook_event_name: 'UserPromptSubmit', prompt: 'go' }),
  })
  const { stdout } = await run([GANTRY, 'sessions'], at, '', { FORCE_COLOR: '1' })
  expect(stdout).toContain('◇')
  expect(stdout).toContain('stale')
  expect(stdout).not.toContain('\u001b[32m')
}, 120_000)

describe('--watch', () => {
  test('redraws the table when something changes, and leaves the terminal as it was', async () => {
    const shell = tmux.open(['sh'], { env: envFor(home, { PS1: '$ ' }), width: 60, height: 20 })
    shell.keys(`${GANTRY} sessions --watch --project infra; echo left $?`, 'Enter')
    await shell.shows(/^3 sessions$/m)
    await shell.shows(/✓ shiny-vole +done/)
    await world.tell('cleanup', 'UserPromptSubmit', { prompt: 'and now delete them' })
    const screen = await shell.shows(/● shiny-vole +working .* and now delete/)
    for (const line of screen.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(60)
    shell.keys('C-c')
    await shell.shows('left 0')
    await shell.lacks('shiny-vole')
    shell.keys('echo typed', 'Enter')
    await shell.shows(/^typed$/m)
  }, 120_000)

  test('takes the width that the terminal has by now', async () => {
    const pane = tmux.open([GANTRY, 'sessions', '-w'], { env: envFor(home), width: 60, height: 20 })
    await pane.shows('NAME')
    await pane.lacks('PROJECT')
    pane.resize(100, 20)
    await pane.shows(/AGENT +PROJECT/)
    pane.keys('q')
  }, 120_000)

  test('in a pipe is a line for each change, and ends with its reader', async () => {
    const child = Bun.spawn([GANTRY, 'sessions', '--watch', '--agent', 'gemini', '--json'], {
      env: envFor(home),
      stdin: 'ignore',
      stdout: 'pipe',
    })
    const lines: string[] = []
    const reading = (async () => {
      for await (const chunk of child.stdout)
        lines.push(...new TextDecoder().decode(chunk).trimEnd().split('\n'))
    })()
    await until(() => lines.length === 1, 'the snapshot')
    await world.tell('invoices', 'AfterTool', {
      tool_name: 'write_file',
      tool_input: { file_path: 'test/fixtures/invoices.json' },
    })
    await until(() => lines.length > 1, 'the change')
    expect(new Set(lines.map((line) => (JSON.parse(line) as SessionView).agent))).toEqual(new Set(['gemini']))
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    await reading
  }, 120_000)
})
