/** The event schema that sidecars of bd's bus rely on, sentence by sentence, against a daemon and the server it runs. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { callByName } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { gantryJson, makeHome, type RunningDaemon, sendFrame, startDaemon, tempDir, until } from '../kit.ts'
import { AGENTS_ONLY, flood } from './bus-kit.ts'
import { attach, discover, type NatsInfo, StateOf, signIn, TYPES } from './coop.ts'

const LONG_MS = 120_000
const MANAGED = { GANTRY_NATS: 'managed', BD_NATS_PORT: '0' }

interface World {
  readonly at: Places
  readonly daemon: RunningDaemon
  readonly beads: string
  readonly info: NatsInfo
}

async function started(at = makeHome(), beads = tempDir(), env = {}): Promise<World> {
  const daemon = await startDaemon(at, { ...MANAGED, BEADS_DIR: beads, ...env })
  return { at, daemon, beads, info: await found(beads) }
}

/** The file is there, and so is the stream that it names. */
function found(beads: string): Promise<NatsInfo> {
  const look = async () => {
    try {
      const info = discover(beads)
      const nc = await signIn(info)
      await (await jetstreamManager(nc)).streams.info(info.stream)
      await nc.close()
      return info
    } catch {
      return undefined
    }
  }
  return until(look, 'the stream', 20_000)
}

const tell = (at: Places, payload: string | object) =>
  sendFrame(at, { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) })

const common = {
  session_id: 'abc-123-def',
  cwd: '/home/user/project',
  transcript_path: '/home/user/.claude/sessions/abc-123-def.jsonl',
  permission_mode: 'default',
}
const bash = { tool_name: 'Bash', tool_input: { command: 'npm install express' } }
const agent = { agent_id: 'a1', agent_type: 'Explore', model: 'claude-haiku-4-5' }

/** Every row of the table of event types, with the fields that the document gives it. */
const TABLE: readonly [string, Record<string, unknown>][] = [
  ['SessionStart', { model: 'claude-sonnet-4-5-20250929' }],
  ['UserPromptSubmit', { prompt: 'Add a route — “/héllo”', source: 'user' }],
  ['PreToolUse', bash],
  ['PostToolUse', { ...bash, tool_response: { stdout: 'added 57 packages', code: 0 } }],
  ['PostToolUseFailure', { ...bash, error: 'npm ERR! network' }],
  ['Stop', {}],
  ['PreCompact', { trigger: 'auto' }],
  ['SubagentStart', agent],
  ['SubagentStop', agent],
  ['Notification', { message: 'Claude is waiting for your input' }],
  ['SessionEnd', { reason: 'exit' }],
]

/** For all who need no daemon of their own. */
let shared: World
beforeAll(async () => {
  shared = await started(undefined, undefined, { BD_DAEMON_TOKEN: 'shared-secret' })
})
afterAll(async () => void (await shared.daemon.kill('SIGTERM')))

describe('connection', () => {
  test('the server is found by its file, takes the token and nobody without it, and has the stream as it is described', async () => {
    const { at, info } = shared
    expect(info).toEqual({
      url: `nats://127.0.0.1:${info.port}`,
      port: info.port,
      token: 'shared-secret',
      jetstream: true,
      stream: 'HOOK_EVENTS',
      subjects: 'hooks.>',
    })
    expect(JSON.parse(readFileSync(at.natsInfo, 'utf8'))).toEqual(info)
    expect(await gantryJson(at, 'bus', 'nats-info', '--json')).toEqual(info)
    await expect(signIn({ ...info, token: 'guess' })).rejects.toThrow()
    await expect(connect({ servers: info.url, reconnect: false })).rejects.toThrow()
    const nc = await signIn(info)
    const { config } = await (await jetstreamManager(nc)).streams.info(info.stream)
    expect(config).toMatchObject({
      name: 'HOOK_EVENTS',
      subjects: ['hooks.>'],
      storage: 'file',
      max_msgs: 10_000,
      max_bytes: 100 * 1024 * 1024,
      retention: 'limits',
      discard: 'old',
      max_age: 0,
    })
    await nc.close()
  })
})

describe('events', () => {
  test('of every type are on their subject, as they came to the byte', async () => {
    const { at, info } = shared
    const sidecar = await attach(info, { id: 'table', deliver: 'all' })
    expect(TABLE.map(([type]) => type)).toEqual(TYPES)
    const sent = TABLE.map(([type, fields]) =>
      JSON.stringify({ hook_event_name: type, ...common, ...fields, not_known_yet: [1, null] }, null, 1),
    )
    for (const payload of sent) await tell(at, payload)
    await until(() => sidecar.heard.length >= TABLE.length, 'all of them')
    expect(sidecar.heard.map(({ text }) => text)).toEqual(sent)
    expect(sidecar.heard.map(({ subject }) => subject)).toEqual(TABLE.map(([type]) => `hooks.${type}`))
    for (const { text, subject } of sidecar.heard) {
      const event = JSON.parse(text) as Record<string, unknown>
      expect(subject.endsWith(`.${event.hook_event_name}`)).toBe(true)
      expect(event).toMatchObject(common)
    }
    await sidecar.leave()
  })
})

describe('durable consumers', () => {
  test(
    'have offsets of their own, get again what was not acknowledged, and catch up after a restart of either side',
    async () => {
      const at = makeHome(AGENTS_ONLY)
      const beads = tempDir()
      const first = await started(at, beads)
      const say = (n: number) => tell(at, { hook_event_name: 'Stop', ...common, n })
      const numbers = (heard: readonly { text: string }[]) =>
        heard.map(({ text }) => (JSON.parse(text) as { n: number }).n)
      for (const n of [1, 2, 3]) await say(n)

      // DeliverAll replays; DeliverNew has only what comes from now on.
      const replay = await attach(first.info, { id: 'replay', deliver: 'all' })
      await until(() => replay.heard.length === 3, 'the replay')
      let refuses = true
      const live = await attach(first.info, {
        id: 'live',
        deliver: 'new',
        ackWaitMs: 500,
        acks: () => !refuses,
      })
      await say(4)
      await until(() => live.heard.length >= 2, 'what was not acknowledged, again')
      expect(numbers(live.heard.slice(0, 2))).toEqual([4, 4])
      expect(live.heard[1]?.deliveries).toBe(2)
      refuses = false
      await until(() => replay.heard.length === 4, 'the fourth')
      const acknowledged = async () => {
        const nc = await signIn(first.info)
        const { ack_floor, num_ack_pending } = await (await jetstreamManager(nc)).consumers.info(
          'HOOK_EVENTS',
          'coop-live',
        )
        await nc.close()
        return num_ack_pending === 0 && ack_floor.stream_seq === 4
      }
      await until(acknowledged, 'an acknowledgement')

      // A consumer that was away gets what came meanwhile, the other one is not touched by that.
      await replay.leave()
      for (const n of [5, 6]) await say(n)
      await until(() => numbers(live.heard).includes(6), 'what is live')
      const again = await attach(first.info, { id: 'replay', deliver: 'all' })
      await until(() => again.heard.length === 2, 'what was missed')
      expect(numbers(again.heard)).toEqual([5, 6])
      await live.leave()
      await again.leave()

      // The daemon and its server go and come back; the offsets are still there.
      await first.daemon.kill('SIGTERM')
      const second = await started(at, beads)
      await say(7)
      const [replay2, live2] = [
        await attach(second.info, { id: 'replay', deliver: 'all' }),
        await attach(second.info, { id: 'live', deliver: 'new' }),
      ]
      await until(() => replay2.heard.length > 0 && live2.heard.length > 0, 'both')
      expect([numbers(replay2.heard), numbers(live2.heard)]).toEqual([[7], [7]])
      await replay2.leave()
      await live2.leave()
      await second.daemon.kill('SIGTERM')
    },
    LONG_MS,
  )

  test(
    'find the last 10,000 messages: the oldest are gone, also for one that had read a few of them',
    async () => {
      const { at, daemon, info } = await started(makeHome(AGENTS_ONLY))
      const make = (n: number) => ({ hook_event_name: 'PostToolUse', session_id: `s${n % 20}`, cwd: '/', n })
      const numbers = (heard: readonly { text: string }[]) =>
        heard.map(({ text }) => (JSON.parse(text) as { n: number }).n)
      await flood(at, 50, make)
      const slow = await attach(info, { id: 'slow', deliver: 'all' })
      await until(() => slow.heard.length === 50, 'the first ones')
      await slow.leave()
      const total = 10_250
      // Most of them straight into the stream: it is the same to whoever reads it.
      const nc = await signIn(info)
      for (let n = 50; n < total - 100; n++) nc.publish('hooks.Stop', JSON.stringify(make(n)))
      await nc.flush()
      await flood(at, 100, (n) => make(n + total - 100))
      const jsm = await jetstreamManager(nc)
      const state = async () => (await jsm.streams.info('HOOK_EVENTS')).state
      await until(async () => (await state()).last_seq >= total, 'all published')
      expect(await state()).toMatchObject({ messages: 10_000, first_seq: total - 10_000 + 1 })
      await nc.close()
      const back = await attach(info, { id: 'slow', deliver: 'all' })
      const fresh = await attach(info, { id: 'fresh', deliver: 'all' })
      await until(() => back.heard.length >= 10_000 && fresh.heard.length >= 10_000, 'what there is')
      const kept = Array.from({ length: 10_000 }, (_, i) => total - 10_000 + i)
      // In order per session; across sessions the numbers may change places.
      expect(numbers(back.heard).sort((a, b) => a - b)).toEqual(kept)
      expect(numbers(fresh.heard).sort((a, b) => a - b)).toEqual(kept)
      await back.leave()
      await fresh.leave()
      await daemon.kill('SIGTERM')
    },
    LONG_MS,
  )
})

interface Coop {
  readonly id: string
  readonly state: string
}

describe('states', () => {
  /** Event, and the state that follows from it at once. */
  const STORY: readonly [
    Record<string, unknown> & { hook_event_name: string; tool_name?: string },
    string,
  ][] = [
    [{ hook_event_name: 'SessionStart', source: 'startup' }, 'starting'],
    [{ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 't1', tool_input: {} }, 'working'],
    [{ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 't1', tool_response: {} }, 'working'],
    [
      {
        hook_event_name: 'PreToolUse',
        tool_name: 'AskUserQuestion',
        tool_use_id: 't2',
        tool_input: { questions: [{ question: 'Which database should we use?', options: [] }] },
      },
      'ask_user',
    ],
    [{ hook_event_name: 'PostToolUse', tool_name: 'AskUserQuestion', tool_use_id: 't2' }, 'working'],
    [
      { hook_event_name: 'PreToolUse', tool_name: 'EnterPlanMode', tool_use_id: 't3', tool_input: {} },
      'plan_prompt',
    ],
    [{ hook_event_name: 'PostToolUse', tool_name: 'EnterPlanMode', tool_use_id: 't3' }, 'working'],
    [{ hook_event_name: 'SubagentStart', agent_id: 'a1', agent_type: 'Explore' }, 'working'],
    [{ hook_event_name: 'SubagentStop', agent_id: 'a1', agent_type: 'Explore' }, 'working'],
    [{ hook_event_name: 'Stop' }, 'working'], // for a minute it may only be a gap between two tool calls
    [{ hook_event_name: 'SessionEnd', reason: 'exit' }, 'exited'],
  ]

  test(
    'follow from the events as the table says, and gantry says the same of the session',
    async () => {
      const { at, info } = shared
      const session_id = 'states'
      const sidecar = await attach(info, { id: 'states', deliver: 'new' })
      const state = new StateOf()
      for (const [index, [event, expected]] of STORY.entries()) {
        await tell(at, { ...common, session_id, ...event })
        await until(() => sidecar.heard.length === index + 1, `event ${index}`)
        const heard = JSON.parse(sidecar.heard[index]?.text ?? '') as typeof event
        state.hear(heard, 0)
        expect([event.hook_event_name, event.tool_name, state.at(0)] as unknown[]).toEqual([
          event.hook_event_name,
          event.tool_name,
          expected,
        ])
        const list = (await callByName(at, 'sessions.list', { dialect: 'coop', all: true })) as Coop[]
        const said = list.find(({ id }) => id === session_id)
        expect([event.hook_event_name, said?.state]).toEqual([event.hook_event_name, expected])
      }
      const printed = (await gantryJson(at, 'sessions', '--all', '--dialect', 'coop')) as Coop[]
      expect(printed.find(({ id }) => id === session_id)?.state).toBe('exited')
      await sidecar.leave()
    },
    LONG_MS,
  )

  test('an end of a turn counts as waiting after a minute without another event, and not before', () => {
    const state = new StateOf()
    state.hear({ hook_event_name: 'PreToolUse', tool_name: 'Bash' }, 0)
    state.hear({ hook_event_name: 'Stop' }, 1_000)
    expect(state.at(60_999)).toBe('working')
    state.hear({ hook_event_name: 'PreToolUse', tool_name: 'Bash' }, 60_999)
    expect(state.at(200_000)).toBe('working')
    state.hear({ hook_event_name: 'Stop' }, 200_000)
    expect(state.at(260_000)).toBe('waiting_for_input')
  })
})
