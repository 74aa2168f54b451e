/**
 * The plugin inside opencode, against a daemon that does what the test says: under Bun, which opencode is,
 * and Node.
 */
import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentFor } from '../../src/agents/index.ts'
import * as hook from '../../src/client/hook.ts'
import * as spool from '../../src/client/spool.ts'
import * as wire from '../../src/client/wire.ts'
import { places } from '../../src/core/files/paths.ts'
import { rawEventOf } from '../../src/ingest/raw-event.ts'
import { listen, type Talk } from '../hook/fake-daemon.ts'
import { type Box, makeBox, Opencode, PLUGIN, until } from './box.ts'

/** Nobody waits for ever; how long exactly is the wire's own matter. */
const STUCK_MS = 10_000
const NODE = Bun.which('node') ?? 'node'
const SILENCE = '0 0 0\n'

function reply(answer: object): string {
  const stdout = JSON.stringify(answer)
  return `0 ${Buffer.byteLength(stdout)} 0\n${stdout}`
}

function bus(type: string, properties: object = {}): object {
  return { id: `evt_${type}`, type, properties: { sessionID: 's', ...properties } }
}

function toolBefore(args: object = { command: 'ls' }): [object, object] {
  return [{ tool: 'bash', sessionID: 's', callID: 'c' }, { args }]
}

function payloadOf(talk: Pick<Talk, 'payload'>): Record<string, unknown> {
  return JSON.parse(talk.payload.toString())
}

function names(talks: readonly { header: Record<string, unknown> }[]): unknown[] {
  return talks.map((talk) => talk.header.event)
}

describe.each([
  ['bun', process.execPath],
  ['node', NODE],
])('under %s', (_name, runtime) => {
  const boxes: Box[] = []
  afterAll(() => boxes.forEach((box) => void box[Symbol.dispose]()))

  function setUp(env: Record<string, string> = {}) {
    const box = makeBox()
    boxes.push(box)
    return { box, start: () => new Opencode(runtime, { GANTRY_HOME: box.home, ...env }) }
  }

  test('an opencode that gantry runs itself tells it nothing', async () => {
    const { box, start } = setUp({ GANTRY_OFF: '1' })
    using daemon = listen(box.socket, (talk) => talk.say(SILENCE))
    await using opencode = start()
    expect(await opencode.ready).toEqual(expect.objectContaining({ hooks: [] }))
    expect(daemon.talks).toEqual([])
  })

  test('what happens in opencode is a frame that gantry reads', async () => {
    const { box, start } = setUp({ TMUX_PANE: '%3', TMUX: '/tmp/tmux,1,0', AGENT_ID: 'a7', SECRET: 'no' })
    using daemon = listen(box.socket, (talk) => talk.say(SILENCE))
    await using opencode = start()
    expect(await opencode.ready).toMatchObject({ exports: ['GantryPlugin'] })
    await opencode.emit(bus('session.created', { info: { id: 's', version: '1.18.33', directory: '/w' } }))
    await opencode.call('tool.execute.before', ...toolBefore())
    await until(() => daemon.talks.length === 3)

    const events = daemon.talks.map(({ header, payload }) => {
      const rawEvent = rawEventOf(header, { payload, transport: 'socket', receivedAt: Date.now() })
      return agentFor('opencode').read(JSON.parse(payload.toString()), rawEvent)
    })
    expect(events.map((event) => event.type)).toEqual(['PluginInit', 'SessionStart', 'PreToolUse'])
    expect(events.map((event) => event.unknown)).toEqual([undefined, undefined, undefined])
    expect(events[2]).toMatchObject({
      sessionId: 's',
      agentVersion: '1.18.33',
      tool: { name: 'bash', useId: 'c' },
    })
    expect(events[2]?.client).toMatchObject({
      pid: opencode.pid,
      ppid: process.pid,
      pane: '%3',
      version: 'dev',
    })

    const headers = daemon.talks.map((talk) => talk.header)
    const ids = headers.map((header) => String(header.id))
    for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(ids.toSorted()).toEqual(ids)
    for (const header of headers) expect(Math.abs(Number(header.at) - Date.now())).toBeLessThan(10_000)
    expect(headers[2]).toMatchObject({ v: wire.WIRE_VERSION, kind: 'hook', agent: 'opencode', hold: true })
    expect(headers[2]?.env).toEqual({ AGENT_ID: 'a7', OPENCODE_VERSION: '1.18.33' })
    expect(box.spooled()).toEqual([])
  })

  test('a denied tool throws the reason, and only that', async () => {
    const { box, start } = setUp()
    using _daemon = listen(box.socket, (talk) => talk.say(reply({ deny: 'policy says no' })))
    await using opencode = start()
    expect((await opencode.call('tool.execute.before', ...toolBefore())).error).toBe('Error: policy says no')
    expect((await opencode.call('chat.message', { sessionID: 's' }, { parts: [] })).error).toBe(
      'Error: policy says no',
    )
    expect((await opencode.call('tool.execute.after', ...toolBefore())).error).toBeUndefined()
    expect((await opencode.emit(bus('session.idle'))).error).toBeUndefined()
  })

  test('new arguments replace the old ones in place', async () => {
    const { box, start } = setUp()
    using _daemon = listen(box.socket, (talk) => talk.say(reply({ args: { command: 'ls -l' } })))
    await using opencode = start()
    const { args, error } = await opencode.call(
      'tool.execute.before',
      ...toolBefore({ command: 'rm', force: true }),
    )
    expect(error).toBeUndefined()
    expect(args[1]).toEqual({ args: { command: 'ls -l' } })
  })

  test('context reaches the model where it belongs, and no longer than it should', async () => {
    const { box, start } = setUp()
    using _daemon = listen(box.socket, (talk) => talk.say(reply({ context: `about ${talk.header.event}` })))
    await using opencode = start()
    const system = async () => {
      const { args } = await opencode.call(
        'experimental.chat.system.transform',
        { sessionID: 's' },
        { system: ['own'] },
      )
      return args[1]?.system
    }
    await opencode.emit(bus('session.created', { info: { id: 's' } }))
    await opencode.call('chat.message', { sessionID: 's' }, { parts: [] })
    await opencode.call('tool.execute.before', ...toolBefore())
    const spoken = ['own', 'about session.created', 'about chat.message', 'about tool.execute.before']
    expect(await system()).toEqual(spoken)
    expect(await system()).toEqual(spoken)

    const { args } = await opencode.call('tool.execute.after', { sessionID: 's' }, { output: 'done' })
    expect(args[1]).toEqual({ output: 'done\n\nabout tool.execute.after' })
    const compacted = await opencode.call(
      'experimental.session.compacting',
      { sessionID: 's' },
      { context: [] },
    )
    expect(compacted.args[1]).toEqual({ context: ['about experimental.session.compacting'] })

    await opencode.call('chat.message', { sessionID: 's' }, { parts: [] })
    expect(await system()).toEqual(['own', 'about session.created', 'about chat.message'])
  })

  test('what happens in a child session says whose child it is, down to the root', async () => {
    const { box, start } = setUp()
    using daemon = listen(box.socket, (talk) => talk.say(SILENCE))
    await using opencode = start()
    const born = (id: string, parentID: string, agent: string) =>
      bus('session.created', { sessionID: id, info: { id, parentID, agent } })
    await opencode.emit(born('child', 's', 'general'), born('grandchild', 'child', 'explore'))
    await opencode.call(
      'tool.execute.before',
      { tool: 'bash', sessionID: 'grandchild', callID: 'c' },
      { args: {} },
    )
    await opencode.emit(bus('session.idle', { sessionID: 'child' }), bus('session.idle'))
    await until(() => daemon.talks.length === 6)
    const family = daemon.talks.slice(1).map((talk) => [payloadOf(talk).parentID, payloadOf(talk).agentType])
    expect(family).toEqual([
      ['s', 'general'],
      ['s', 'explore'],
      ['s', 'explore'],
      ['s', 'general'],
      [undefined, undefined],
    ])
  })

  test('without a daemon everything waits in the spool, and nobody waits for it', async () => {
    const { box, start } = setUp()
    await using opencode = start()
    await opencode.ready
    const { ms, error } = await opencode.call('tool.execute.before', ...toolBefore())
    await opencode.emit(bus('session.idle'), bus('message.part.delta', { delta: 'a' }), bus('todo.updated'))
    await until(() => box.spooled().length === 4)
    expect(error).toBeUndefined()
    expect(ms).toBeLessThan(STUCK_MS)
    expect(names(box.spooled())).toEqual([
      'plugin.init',
      'tool.execute.before',
      'session.idle',
      'todo.updated',
    ])
  })

  test.each([
    ['nothing at all', (_talk: Talk) => {}],
    ['goodbye', (talk: Talk) => talk.hangUp()],
    ['nonsense', (talk: Talk) => talk.say('HTTP/1.1 200 OK\n\n')],
    ['a line without end', (talk: Talk) => talk.say('0'.repeat(1_000))],
    ['half an answer', (talk: Talk) => talk.say('0 100 0\n{"deny":')],
  ])('a daemon that says %s loses nothing and stops nothing', async (_what, script) => {
    const { box, start } = setUp()
    using _daemon = listen(box.socket, script)
    await using opencode = start()
    await opencode.ready
    const { ms, error } = await opencode.call('tool.execute.after', ...toolBefore())
    expect(error).toBeUndefined()
    expect(ms).toBeLessThan(STUCK_MS)
    await until(() => box.spooled().length === 2)
    expect(names(box.spooled())).toEqual(['plugin.init', 'tool.execute.after'])
  })

  test('an answer that is no JSON decides nothing', async () => {
    const { box, start } = setUp()
    using _daemon = listen(box.socket, (talk) => talk.say('0 4 0\noops'))
    await using opencode = start()
    expect((await opencode.call('tool.execute.before', ...toolBefore())).error).toBeUndefined()
  })

  test('a held answer is waited for', async () => {
    const { box, start } = setUp()
    using _daemon = listen(box.socket, async (talk) => {
      talk.say('hold 5000\n')
      await Bun.sleep(wire.OBSERVER_DEADLINE_MS + 200)
      talk.say(reply({ context: 'approved' }))
    })
    await using opencode = start()
    const { args } = await opencode.call('tool.execute.after', { sessionID: 's' }, { output: 'done' })
    expect(args[1]).toEqual({ output: 'done\n\napproved' })
  })

  test('a burst keeps its order and takes 64 connections at most; only deltas are dropped', async () => {
    const { box, start } = setUp()
    let open = 0
    let most = 0
    using daemon = listen(box.socket, async (talk) => {
      most = Math.max(most, ++open)
      await Bun.sleep(30)
      open--
      talk.say(SILENCE)
    })
    await using opencode = start()
    await opencode.ready
    const deltas = Array.from({ length: 500 }, (_, i) => bus('message.part.delta', { delta: i }))
    const todos = Array.from({ length: 100 }, (_, i) => bus('todo.updated', { todos: [i] }))
    const { ms } = await opencode.emit(...deltas, ...todos, bus('session.idle'))
    expect(ms).toBeLessThan(STUCK_MS)
    // On a busy machine an answer may come too late for the plugin, which keeps what it sent then, and what follows.
    const told = () => {
      const all = [...daemon.talks, ...box.spooled()]
      const byId = new Map(all.map((one) => [String(one.header.id), one]))
      return [...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
    }
    const of = (event: string) => told().filter(({ header }) => header.event === event)
    await until(() => of('session.idle').length > 0 && of('todo.updated').length === 100)
    await until(() => open === 0)

    const ids = daemon.talks.map((talk) => String(talk.header.id))
    expect(ids.toSorted()).toEqual(ids)
    expect(most).toBeLessThanOrEqual(64)
    const kept = of('message.part.delta').map(payloadOf)
    expect(kept.length).toBeLessThan(200)
    // Deltas are not kept: the last one is among what came too late then.
    if (box.spooled().length === 0) expect(kept.at(-1)).toMatchObject({ properties: { delta: 499 } })
  })

  test('a socket that others could have put there is not spoken to', async () => {
    const { box, start } = setUp()
    using daemon = listen(box.socket, (talk) => talk.say(reply({ args: { command: 'evil' } })))
    box.share()
    await using opencode = start()
    const { args } = await opencode.call('tool.execute.before', ...toolBefore())
    expect(args[1]).toEqual({ args: { command: 'ls' } })
    expect(daemon.connections).toBe(0)
    await until(() => box.spooled().length === 2)
  })

  test('a payload over the limit is cut and says so', async () => {
    const { box, start } = setUp()
    using daemon = listen(box.socket, (talk) => talk.say(SILENCE))
    await using opencode = start()
    await opencode.tell(
      'tool.execute.before',
      ...toolBefore({ content: 'x'.repeat(wire.PAYLOAD_LIMIT_BYTES) }),
    )
    const talk = daemon.talks.find(({ header }) => header.event === 'tool.execute.before')
    expect(talk?.header.len).toBe(wire.PAYLOAD_LIMIT_BYTES)
    expect(talk?.header.cut).toBeGreaterThan(wire.PAYLOAD_LIMIT_BYTES)
  })

  test('the end of opencode is the end of its sessions, but not of those deleted before', async () => {
    const { box, start } = setUp()
    using daemon = listen(box.socket, (talk) => talk.say(SILENCE))
    await using opencode = start()
    for (const id of ['s', 't']) await opencode.emit(bus('session.created', { sessionID: id, info: { id } }))
    const child = { id: 'child', parentID: 's' }
    await opencode.emit(bus('session.created', { sessionID: 'child', info: child }))
    await opencode.emit(bus('session.deleted', { sessionID: 't', info: { id: 't' } }))
    await opencode.call('dispose')
    const ends = () => daemon.talks.filter((talk) => talk.header.event === 'dispose')
    await until(() => ends().length >= 2)
    expect(ends().map(payloadOf)).toEqual([{ sessionID: 's' }, {}])
  })

  test('arguments that are no JSON, or none at all, are no trouble', async () => {
    const { box, start } = setUp()
    using _daemon = listen(box.socket, (talk) => talk.say(SILENCE))
    await using opencode = start()
    for (const name of (await opencode.ready).hooks) {
      expect({ name, error: (await opencode.call(name)).error }).toEqual({ name, error: undefined })
    }
  })

  test('the home that was installed comes before the environment', async () => {
    const { box } = setUp()
    const plugin = join(box.home, 'gantry.js')
    const source = readFileSync(PLUGIN, 'utf8')
    writeFileSync(plugin, source.replace('__GANTRY_HOME__', box.home).replace('__GANTRY_VERSION__', '1.2.3'))
    {
      using daemon = listen(box.socket, (talk) => talk.say(SILENCE))
      await using opencode = new Opencode(runtime, { GANTRY_HOME: '/nowhere' }, plugin)
      await opencode.ready
      await until(() => daemon.talks.length === 1)
      expect(daemon.talks[0]?.header.client).toBe('1.2.3')
    }
    await using opencode = new Opencode(runtime, { GANTRY_HOME: '/nowhere' }, plugin)
    await opencode.ready
    await until(() => box.spooled().length === 1)
  })

  test.each<[string, (home: string) => Record<string, string>]>([
    ['HOME alone', (home) => ({ HOME: home })],
    ['XDG_STATE_HOME', (home) => ({ HOME: '/nowhere', XDG_STATE_HOME: join(home, 'xdg') })],
    ['a relative XDG_STATE_HOME', (home) => ({ HOME: home, XDG_STATE_HOME: 'xdg' })],
    ['a GANTRY_HOME with dots', (home) => ({ GANTRY_HOME: `${home}/a/../b/` })],
  ])('places are the same as everywhere: %s', async (_what, envOf) => {
    const { box } = setUp()
    const env = envOf(box.home)
    await using opencode = new Opencode(runtime, env)
    await opencode.ready
    await until(() => box.spooled(places(env).spool).length === 1)
  })
})

describe('the numbers are those of the hook client', () => {
  const source = readFileSync(PLUGIN, 'utf8')
  const numbers: Record<string, number> = {
    PAYLOAD_LIMIT_BYTES: wire.PAYLOAD_LIMIT_BYTES,
    OBSERVER_DEADLINE_MS: wire.OBSERVER_DEADLINE_MS,
    DECIDER_DEADLINE_MS: wire.DECIDER_DEADLINE_MS,
    HOLD_LIMIT_MS: wire.HOLD_LIMIT_MS,
    VALUE_LIMIT_CHARS: hook.VALUE_LIMIT_BYTES,
    REPLY_LINE_LIMIT_BYTES: hook.REPLY_LINE_LIMIT_BYTES,
    SPOOL_FREE_BYTES: spool.SPOOL_FREE_BYTES,
    SPOOL_FOLDER_BYTES: spool.SPOOL_FOLDER_BYTES,
    SPOOL_FRAMES: spool.SPOOL_FRAMES,
    START_PAUSE_MS: hook.START_PAUSE_MS,
    LOOK_AGAIN_MS: wire.LOOK_AGAIN_MS,
    SOCKET_MODE: wire.SOCKET_MODE,
    OBSERVER_GAVE_UP_MODE: wire.OBSERVER_GAVE_UP_MODE,
    DECIDER_GAVE_UP_MODE: wire.DECIDER_GAVE_UP_MODE,
  }
  test.each(Object.entries(numbers))('%s', (name, value) => {
    const [, formula = ''] = new RegExp(`^const ${name} = ([\\do_ *]+)`, 'm').exec(source) ?? []
    const factors = formula.split('*').map((factor) => Number(factor.replaceAll('_', '')))
    expect(factors.reduce((product, factor) => product * factor, 1)).toBe(value)
  })

  test('the same environment values leave the process as through the hook client', () => {
    const [, list = ''] = /^const ENV_NAMES =([^;]*?)\n\n/ms.exec(source) ?? []
    const sent = list.match(/[A-Z_]+/g) ?? []
    expect<readonly string[]>(sent).toEqual(wire.OWN_ENV)
    expect<readonly string[]>(wire.ENV_ALLOW_LIST).toContain('OPENCODE_VERSION')
  })
})
