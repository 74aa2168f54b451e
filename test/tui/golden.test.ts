/**
 * The screens as people see them, kept as text. GANTRY_GOLDEN=write writes them anew; look at them before you keep them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WireMessage } from '../../src/client/index.ts'
import { BUS_KEYS, busFrame } from '../../src/tui/model/bus-frame.ts'
import { firstBusState, withMessages } from '../../src/tui/model/bus-state.ts'
import { KEYS } from '../../src/tui/model/help.ts'
import { textOf } from '../../src/tui/model/line.ts'
import { counted } from '../../src/tui/model/rates.ts'
import { NOW } from '../../src/tui/model/testkit.ts'
import { envFor, GANTRY, makeHome, ROOT, type RunningDaemon, startDaemon, until } from '../kit.ts'
import { normalised, startTmux, type TestPane, type Tmux } from './terminal.ts'
import { GOLDEN, makeWorld } from './world.ts'

const home = makeHome('[summary]\nmode = "off"\n') // titles come a little later than the rest
let daemon: RunningDaemon
let tmux: Tmux

beforeAll(async () => {
  daemon = await startDaemon(home)
  await makeWorld(home)
  tmux = await startTmux()
}, 120_000)

afterAll(async () => {
  await tmux[Symbol.asyncDispose]()
  await daemon.kill('SIGTERM')
})

/** A screen may still be on its way to what it will be; it has some seconds to get there, and must then be this one. */
async function golden(name: string, look: () => string): Promise<void> {
  const file = join(GOLDEN, `${name}.txt`)
  if (process.env.GANTRY_GOLDEN === 'write') {
    await Bun.sleep(1_000)
    writeFileSync(file, normalised(look()))
  }
  const wanted = readFileSync(file, 'utf8')
  await until(() => normalised(look()) === wanted, name, 8_000).catch(() => {})
  expect(
    normalised(look()),
    `${name} looks different. If it should: GANTRY_GOLDEN=write npm test -- test/tui/golden`,
  ).toBe(wanted)
}

const open = (width: number, height: number, env: Record<string, string> = {}): TestPane =>
  tmux.open([GANTRY], { env: envFor(home, env), width, height })

describe('the fleet of twelve', () => {
  test('at 100 by 36: tree above, detail below', async () => {
    const pane = open(100, 36)
    await pane.shows('● live')
    pane.keys('n')
    await pane.shows('▲ permission: Bash')
    await golden('fleet-100x36', pane.text)
    pane.keys('q')
  }, 120_000)

  test('at 150 by 30: detail beside the tree, a question with its answers', async () => {
    const pane = open(150, 30)
    await pane.shows('● live')
    pane.keys('n', 'n')
    await pane.shows('clever-penguin ──')
    await pane.shows(/▲ question: How should/)
    await golden('fleet-150x30', pane.text)
    pane.keys('q')
  }, 120_000)

  test('at 60 by 15: what matters stays', async () => {
    const pane = open(60, 15)
    await pane.shows('● live')
    await golden('fleet-60x15', pane.text)
    pane.keys('n', 'n', 'd')
    await pane.shows('clever-penguin ──')
    await pane.shows('▲ question: How should')
    await golden('detail-60x15', pane.text)
    pane.keys('q')
  }, 120_000)

  test('folded, filtered, and with the help', async () => {
    const pane = open(80, 24)
    await pane.shows('● live')
    pane.keys('z')
    await pane.shows('▸ infra')
    await golden('folded-80x24', pane.text)
    pane.keys('z', 'f')
    await pane.shows(/ needs {2}● live/)
    pane.keys('n')
    await pane.shows('▲ permission: Bash')
    await golden('needs-80x24', pane.text)
    pane.keys('?')
    await pane.shows('next session that needs you')
    await golden('help-80x24', pane.text)
    pane.keys('q', 'q')
  }, 120_000)

  test('without colours nothing is coloured, and the signs say the same', async () => {
    const pane = open(100, 36, { NO_COLOR: '1' })
    await pane.shows('● live')
    pane.keys('n')
    await pane.shows('▲ permission: Bash')
    await golden('fleet-100x36', pane.text)
    const painted = tmux.run('capture-pane', '-p', '-e', '-t', pane.id)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of colours are looked for
    const codes = [...painted.matchAll(/\u001b\[([\d;]*)m/g)].flatMap((match) => (match[1] ?? '').split(';'))
    expect(codes.filter((code) => /^([34][0-7]|9[0-7]|10[0-7]|38|48)$/.test(code))).toEqual([])
    pane.keys('q')
  }, 120_000)
})

test('a stream of the bus, with the payload of one message', async () => {
  const message = (seq: number, type: string, agent: string, data: Record<string, unknown>): WireMessage => ({
    stream: 'HOOK_EVENTS',
    seq,
    id: `e${seq}`,
    at: NOW + seq * 100,
    subject: `hooks.${type}`,
    type,
    agent,
    native: type,
    session: `${seq % 3}c4f3ad2a`,
    data: JSON.stringify(data),
  })
  const bash = { tool_name: 'Bash', tool_input: { command: 'npm test', description: 'Run the tests' } }
  let state = firstBusState('HOOK_EVENTS', undefined)
  for (let second = 0; second < 9; second++) {
    const some = [
      message(1035 + second, 'PostToolUse', 'codex', {
        tool_name: 'Bash',
        tool_input: { command: 'ls src' },
      }),
      ...Array.from({ length: (second * 7) % 5 }, () => message(1036 + second, 'PreToolUse', 'claude', bash)),
    ]
    state = { ...state, ...withMessages(state, some.slice(0, 1), NOW + second * 1000) }
    state = { ...state, rates: counted(state.rates, some.slice(1), NOW + second * 1000) }
  }
  const more = [
    message(1044, 'UserPromptSubmit', 'gemini', { prompt: 'write fixtures for twenty invoices' }),
    message(1045, 'PreToolUse', 'claude', bash),
    message(1046, 'PermissionRequest', 'claude', bash),
    message(1047, 'PostToolUseFailure', 'claude', { ...bash, error: 'exit 1' }),
    message(1048, 'SubagentStart', 'claude', { agent_type: 'Explore' }),
    message(1049, 'Stop', 'copilot', { last_assistant_message: 'The cache is explained in docs/cache.md.' }),
  ]
  state = { ...withMessages(state, more, NOW + 9_000), link: 'live', detailOpen: true, selected: 1046 }
  const { lines } = busFrame(state, { width: 100, height: 30 }, 0, NOW + 10_000)
  await golden('bus-100x30', () => lines.map(textOf).join('\n'))
})

describe('the docs', () => {
  const page = (file: string) => readFileSync(join(ROOT, file), 'utf8')
  const screen = (name: string) => readFileSync(join(GOLDEN, `${name}.txt`), 'utf8')

  test('show the screens as they are', () => {
    expect(page('README.md')).toContain(screen('fleet-100x36'))
    for (const name of ['fleet-100x36', 'fleet-60x15', 'bus-100x30'])
      expect(page('docs/tui.md')).toContain(screen(name))
  })

  test('list every key', () => {
    for (const [key, does] of [...KEYS, ...BUS_KEYS])
      expect(page('docs/tui.md')).toContain(`| \`${key}\` | ${does} |`)
  })
})
