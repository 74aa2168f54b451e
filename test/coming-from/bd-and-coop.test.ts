/** The examples for consumers of bd's bus, as they stand in its documentation, against a daemon with a real nats-server. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attach, discover, type NatsInfo, signIn } from '../bus/coop.ts'
import {
  envFor,
  GANTRY,
  gantryJson,
  HOOK,
  makeHome,
  type RunningDaemon,
  run,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { anyPort } from '../nats-kit.ts'

setDefaultTimeout(120_000)

/** Payloads of the documentation. */
const EXAMPLES = [
  {
    hook_event_name: 'SessionStart',
    session_id: 'abc-123-def',
    cwd: '/home/user/project',
    transcript_path: '/home/user/.claude/sessions/abc-123-def.jsonl',
    permission_mode: 'default',
    model: 'claude-sonnet-4-5-20250929',
  },
  {
    hook_event_name: 'PreToolUse',
    session_id: 'abc-123-def',
    cwd: '/home/user/project',
    tool_name: 'Bash',
    tool_input: { command: 'npm install express' },
  },
  {
    hook_event_name: 'PreToolUse',
    session_id: 'abc-123-def',
    cwd: '/home/user/project',
    tool_name: 'AskUserQuestion',
    tool_input: {
      questions: [
        {
          question: 'Which database should we use?',
          options: [{ label: 'PostgreSQL (Recommended)' }, { label: 'SQLite' }, { label: 'MySQL' }],
        },
      ],
    },
  },
  { hook_event_name: 'Stop', session_id: 'abc-123-def', cwd: '/home/user/project' },
] as const

const at = makeHome()
const beads = tempDir()
let daemon: RunningDaemon
let info: NatsInfo
/** `bd` on PATH is gantry: what follows is typed as it is documented. */
const bin = join(tempDir(), 'bin')
const bd = (line: string) =>
  Bun.spawn(['sh', '-c', line], {
    env: envFor(at, { PATH: `${bin}:${process.env.PATH}`, BEADS_DIR: beads }),
    stdout: 'pipe',
    stderr: 'pipe',
  })

beforeAll(async () => {
  mkdirSync(bin)
  symlinkSync(GANTRY, join(bin, 'bd'))
  const port = String(await anyPort())
  daemon = await startDaemon(at, {
    GANTRY_NATS: 'managed',
    BD_NATS_PORT: port,
    BD_DAEMON_TOKEN: 'shared',
    BEADS_DIR: beads,
  })
  info = await until(async () => {
    try {
      const found = discover(beads)
      await (await signIn(found)).close()
      return found
    } catch {
      return undefined
    }
  }, 'the server')
})
afterAll(async () => {
  await daemon.kill('SIGTERM')
})

const tell = (payload: { readonly hook_event_name: string; readonly session_id: string }) =>
  run([HOOK, 'claude', payload.hook_event_name], at, JSON.stringify(payload))

describe('discovery', () => {
  test('jq reads the six fields of nats-info.json', async () => {
    const file = '$BEADS_DIR/.runtime/nats-info.json'
    const fields = await new Response(bd(`jq -c 'keys' ${file}`).stdout).json()
    expect(fields).toEqual(['jetstream', 'port', 'stream', 'subjects', 'token', 'url'])
    const url = await new Response(bd(`jq -r .url ${file}`).stdout).text()
    expect(url.trim()).toBe(info.url)
  })

  test('bd bus nats-info says the same', async () => {
    const said = await new Response(bd('bd bus nats-info --json').stdout).json()
    expect(said).toEqual({ ...info })
    expect(await new Response(bd('bd bus nats-info').stdout).text()).toContain(info.url)
  })
})

describe('consumers', () => {
  test('bd bus subscribe, --filter=Stop and --json print what comes; a durable coop-<id> gets each once', async () => {
    const coop = await attach(info, { id: 'instance-1', deliver: 'new' })
    const all = bd('bd bus subscribe --count 4')
    const stops = bd('bd bus subscribe --filter=Stop --count 1')
    const json = bd('bd bus subscribe --json --count 4')
    const texts = Promise.all([all, stops, json].map((child) => new Response(child.stdout).text()))
    const told = async () => {
      for (const payload of EXAMPLES) await tell(payload)
      return [all, stops, json].every((child) => child.exitCode !== null)
    }
    await until(told, 'what the subscribers wait for')
    const [plain = '', stop = '', lines = ''] = await texts
    expect(plain.trim().split('\n')).toHaveLength(4)
    expect(stop).toContain('Stop')
    const first = JSON.parse(lines.split('\n')[0] ?? '') as { subject: string; data: unknown }
    expect(first.subject).toMatch(/^hooks\./)
    await until(() => coop.heard.length >= 4, 'the durable consumer')
    const heard = coop.heard.map(({ text }) => JSON.parse(text) as unknown)
    for (const payload of EXAMPLES) expect(heard).toContainEqual(payload)
    for (const { subject, text } of coop.heard)
      expect(subject).toBe(`hooks.${(JSON.parse(text) as { hook_event_name: string }).hook_event_name}`)
    await coop.leave()
  })

  test('a consumer written for nats.js, with the name, stream and policies of the documentation, runs unchanged', async () => {
    const program = join(tempDir(), 'consumer.ts')
    writeFileSync(program, CONSUMER)
    const child = Bun.spawn([process.execPath, program], {
      env: {
        PATH: process.env.PATH ?? '',
        BEADS_DIR: beads,
        COOP_INSTANCE: 'typed',
        JETSTREAM: Bun.resolveSync('@nats-io/jetstream', import.meta.dir),
        TRANSPORT: Bun.resolveSync('@nats-io/transport-node', import.meta.dir),
      },
      stdout: 'pipe',
    })
    const out = new Response(child.stdout).text()
    const told = async () => {
      await tell(EXAMPLES[2])
      return child.exitCode !== null
    }
    await until(told, 'the consumer')
    expect(await out).toBe('hooks.PreToolUse ask_user\n')
  })
})

/** Prints the state that the first question means. */
const CONSUMER = `
import { readFileSync } from 'node:fs'
const { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } = await import(process.env.JETSTREAM)
const { connect } = await import(process.env.TRANSPORT)
const info = JSON.parse(readFileSync(process.env.BEADS_DIR + '/.runtime/nats-info.json', 'utf8'))
const nc = await connect({ servers: info.url, token: info.token })
const name = 'coop-' + process.env.COOP_INSTANCE
await (await jetstreamManager(nc)).consumers.add('HOOK_EVENTS', {
  durable_name: name, filter_subject: 'hooks.>', deliver_policy: DeliverPolicy.New, ack_policy: AckPolicy.Explicit,
})
const consumer = await jetstream(nc).consumers.get('HOOK_EVENTS', name)
for await (const message of await consumer.consume()) {
  const event = message.json()
  message.ack()
  if (event.hook_event_name !== 'PreToolUse') continue
  console.log(message.subject, event.tool_name === 'AskUserQuestion' ? 'ask_user' : 'working')
  break
}
await nc.drain()
`

describe('states', () => {
  test('follow from the example payloads', async () => {
    const states = []
    for (const payload of EXAMPLES) {
      await tell({ ...payload, session_id: 'states' })
      const all = (await gantryJson(at, 'sessions', '--all', '--dialect', 'coop')) as Record<
        string,
        unknown
      >[]
      states.push(all.find((one) => JSON.stringify(one).includes('"states"'))?.state)
    }
    expect(states.slice(0, 3)).toEqual(['starting', 'working', 'ask_user'])
  })
})
