/** Pins what is written for each version, because it stays in other people's files. */
import { describe, expect, test } from 'bun:test'
import { DECIDERS, HOLD_LIMIT_MS } from '../client/wire.ts'
import { VERSION } from '../core/version.ts'
import { agents, type HookClient, type Wiring } from './index.ts'
import type { AgentSettings, WiringInput } from './settings.ts'

const client: HookClient = { path: '/home/me/.local/share/gantry/bin/gantry-hook' }

function settingsOf(id: string): AgentSettings {
  const settings = agents.get(id)?.settings
  if (!settings) throw new Error(`${id} has no settings`)
  return settings
}

function wiring(
  id: string,
  version?: string,
  more: Partial<WiringInput> = {},
): Exclude<Wiring, { kind: 'refused' }> {
  const made = settingsOf(id).wiring({
    version,
    client,
    with: new Map(),
    statusLine: true,
    ...more,
  })
  if (made.kind === 'refused') throw new Error(made.why)
  return made
}

function handlers(
  id: string,
  version?: string,
  more: Partial<WiringInput> = {},
): Record<string, Record<string, unknown>> {
  const made = wiring(id, version, more)
  if (made.kind === 'own') {
    const { hooks } = JSON.parse(made.text) as { hooks: Record<string, [Record<string, unknown>]> }
    return Object.fromEntries(Object.entries(hooks).map(([event, [hook]]) => [event, hook]))
  }
  const appends = made.entries.flatMap((entry) => (entry.kind === 'append' ? [entry] : []))
  return Object.fromEntries(
    appends.map(({ path, value }) => [
      path[1] ?? '',
      (value as { hooks: [Record<string, unknown>] }).hooks[0],
    ]),
  )
}

const OLD_EVENTS =
  'SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PermissionRequest Notification Stop SubagentStart SubagentStop PreCompact'

describe('version floors of Claude Code', () => {
  test('2.0.77 gets its 12 events in the shell form: an unknown one would disable all hooks', () => {
    expect(wiring('claude', '2.0.77').events).toEqual(OLD_EVENTS.split(' '))
    for (const handler of Object.values(handlers('claude', '2.0.77'))) {
      expect(Object.keys(handler)).toEqual(['type', 'command', 'timeout'])
    }
  })

  test.each([undefined, '2.0.90', '2.1.0', '2.1.324'])(
    '%s gets only what the oldest known version gets',
    (version) => {
      expect(handlers('claude', version)).toEqual(handlers('claude', '2.0.77'))
    },
  )

  test('2.1.325 gets 30 events in the exec form', () => {
    const all = handlers('claude', '2.1.325')
    expect(Object.keys(all)).toHaveLength(30)
    expect(all.PreToolUse).toEqual({
      type: 'command',
      command: client.path,
      args: ['claude', 'PreToolUse'],
      timeout: 660,
    })
    expect(all.SessionEnd).toEqual({
      type: 'command',
      command: client.path,
      args: ['claude', 'SessionEnd'],
      timeout: 30,
    })
  })

  test.each(['2.1.326', '2.2.0', '3.0.0', '10.0.0'])(
    '%s gets what the newest known version gets',
    (version) => {
      expect(handlers('claude', version)).toEqual(handlers('claude', '2.1.325'))
    },
  )

  test('a hook that would create worktrees is never written, and the frequent one only on request', () => {
    const names = new Map([
      ['WorktreeCreate', undefined],
      ['MessageDisplay', undefined],
    ] as const)
    expect(wiring('claude', '2.1.325').events).not.toContain('MessageDisplay')
    const { events } = wiring('claude', '2.1.325', { with: names })
    expect(events).toContain('MessageDisplay')
    expect(events).not.toContain('WorktreeCreate')
    expect(wiring('claude', '2.0.77', { with: names }).events).not.toContain('MessageDisplay')
  })
})

describe('other agents', () => {
  test('Codex: 14 events, and no byte may ever change, or users must trust them again', () => {
    const all = handlers('codex', '0.166.0')
    expect(Object.keys(all).sort().join(' ')).toBe(
      'Interrupt PermissionRequest PostCompact PostModelRequest PostToolUse PreCompact PreModelRequest PreToolUse SessionEnd SessionStart Stop SubagentStart SubagentStop UserPromptSubmit',
    )
    const command = (event: string) =>
      `test -x '${client.path}' || exit 0; exec '${client.path}' codex ${event}`
    const timeouts: Record<string, number> = {}
    for (const [event, handler] of Object.entries(all)) {
      timeouts[event] = Number(handler.timeout)
      expect(JSON.stringify(handler)).toBe(
        JSON.stringify({ type: 'command', command: command(event), timeout: handler.timeout }),
      )
    }
    expect(timeouts).toEqual({
      ...{
        SessionStart: 660,
        UserPromptSubmit: 660,
        PreToolUse: 660,
        PermissionRequest: 660,
        PreCompact: 660,
      },
      ...{ SubagentStart: 660, SubagentStop: 660, Stop: 660, PreModelRequest: 30, PostModelRequest: 30 },
      ...{ PostToolUse: 30, PostCompact: 30, SessionEnd: 3, Interrupt: 3 },
    })
    expect(handlers('codex')).toEqual(all)
    expect(handlers('codex', '0.1.0')).toEqual(all)
  })

  test('Gemini CLI: 7 events by default, 11 on request, in milliseconds', () => {
    const all = handlers('gemini', '0.61.0')
    expect(Object.keys(all)).toEqual([
      'SessionStart',
      'SessionEnd',
      'BeforeAgent',
      'AfterAgent',
      'BeforeTool',
      'AfterTool',
      'Notification',
    ])
    expect(all.BeforeTool).toEqual({
      type: 'command',
      name: 'gantry',
      command: `test -x '${client.path}' || exit 0; '${client.path}' gemini BeforeTool || exit $(( $? == 2 ? 2 : 0 ))`,
      timeout: 660_000,
    })
    const more = ['BeforeModel', 'AfterModel', 'BeforeToolSelection', 'PreCompress']
    const every = wiring('gemini', '0.61.0', { with: new Map(more.map((event) => [event, undefined])) })
    expect(every.events).toHaveLength(11)
  })

  test('Copilot CLI: 15 events under their camelCase names', () => {
    const all = handlers('copilot', '1.0.102')
    expect(Object.keys(all)).toHaveLength(15)
    for (const event of Object.keys(all)) expect(event).toMatch(/^[a-z]/)
    expect(all.preToolUse).toEqual({
      type: 'command',
      bash: `test -x '${client.path}' || exit 0; '${client.path}' copilot preToolUse || exit $(( $? == 2 ? 2 : 0 ))`,
      timeoutSec: 660,
    })
  })

  test("opencode: the plugin, which contains the path of gantry's home", () => {
    const usual = wiring('opencode')
    const moved = wiring('opencode', undefined, {
      client: { ...client, home: "/o'brien" },
    })
    if (usual.kind !== 'own' || moved.kind !== 'own') throw new Error('not a file of its own')
    expect(usual.text).toContain(`INSTALLED_VERSION = '${VERSION}'`)
    expect(moved.text).toContain("INSTALLED_HOME = '/o\\'brien'")
    expect(usual.isOurs(usual.text) && usual.isOurs(moved.text)).toBe(true)
    for (const event of usual.events) expect(usual.text).toMatch(new RegExp(`async '?${event}'?\\(`))
  })
})

describe.each([...agents.values()].filter(({ settings }) => settings).map(({ id }) => id))('%s', (id) => {
  test("the agent's timeout is longer than the client's", () => {
    const made = wiring(id)
    if (made.kind === 'own' && made.file.endsWith('.js')) return // the agent itself runs it, without a limit
    const perSecond = id === 'gemini' ? 1 : 1000
    const all = handlers(id, undefined, {
      with: new Map(settingsOf(id).hooks.map(({ event }) => [event, undefined])),
    })
    for (const [event, { timeout, timeoutSec }] of Object.entries(all)) {
      const ms = Number(timeout ?? timeoutSec) * perSecond
      if (id === 'codex' && (event === 'SessionEnd' || event === 'Interrupt')) expect(ms).toBe(3000)
      else expect(ms, event).toBeGreaterThan(DECIDERS.has(event) ? HOLD_LIMIT_MS : 10_000)
    }
  })

  test('gantry can read every event it installs', () => {
    if (agents.get(id)?.inProcess) return // `event` covers its whole bus
    const known = Object.keys(agents.get(id)?.events ?? {})
    for (const { event } of settingsOf(id).hooks) expect(known).toContain(event)
  })

  test("its own wiring is recognised, and another client's is not", () => {
    const made = wiring(id, settingsOf(id).versions.at(-1))
    if (made.kind === 'own') return expect(made.isOurs(made.text)).toBe(true)
    const hooks: Record<string, unknown[]> = {}
    for (const entry of made.entries) if (entry.kind === 'append') hooks[entry.path[1] ?? ''] = [entry.value]
    expect(settingsOf(id).recognise({ hooks }, client)).toHaveLength(made.events.length)
    expect(settingsOf(id).recognise({ hooks }, { path: '/elsewhere/gantry-hook' })).toEqual([])
    expect(settingsOf(id).recognise({ hooks }, { ...client, home: '/other' })).toEqual([])
  })

  test('its settings folder is in the home folder, even if a variable has a relative path', () => {
    const names = ['XDG_CONFIG_HOME', ...(agents.get(id)?.env ?? [])]
    const relative = Object.fromEntries(names.map((name) => [name, 'here']))
    expect(settingsOf(id).folder({}, '/me')).toStartWith('/me/.')
    expect(settingsOf(id).folder(relative, '/me')).toBe(settingsOf(id).folder({}, '/me'))
  })
})

test.each([
  ['claude', 'CLAUDE_CONFIG_DIR', '/x', '/me/.claude'],
  ['codex', 'CODEX_HOME', '/x', '/me/.codex'],
  ['gemini', 'GEMINI_CLI_HOME', '/x/.gemini', '/me/.gemini'],
  ['copilot', 'COPILOT_HOME', '/x', '/me/.copilot'],
  ['opencode', 'XDG_CONFIG_HOME', '/x/opencode', '/me/.config/opencode'],
])('the settings folder of %s follows %s', (id, name, moved, usual) => {
  expect(settingsOf(id).folder({ [name]: '/x' }, '/me')).toBe(moved)
  expect(settingsOf(id).folder({}, '/me')).toBe(usual)
})
