/** Payloads whose names are those of every object, and baselines that fit nothing: the schema commands say so and go on. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Baseline } from '../../src/rpc/index.ts'
import {
  FIXTURES,
  type FixtureLine,
  fixtureLines,
  framesOf,
  gantry,
  gantryJson,
  makeHome,
  type RunningDaemon,
  sendFrame,
  sendFrames,
  startDaemon,
  tempDir,
} from '../kit.ts'

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']
const lines = fixtureLines('claude/2.1.325/_one-of-each.jsonl')
const told = lines.find(({ event, env }) => event === 'PreToolUse' && env.AI_AGENT) as FixtureLine
const RECORDED = join(FIXTURES, 'claude/2.1.325/_one-of-each.jsonl')

/** An object literal would set a prototype. */
const withName = (name: string, value: unknown) =>
  JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)

describe('names that every object has', () => {
  const at = makeHome()
  let daemon: RunningDaemon

  beforeAll(async () => {
    daemon = await startDaemon(at)
    for (const name of NAMES) {
      const payloads = [
        { ...told.payload, ...withName(name, 1) },
        { ...told.payload, ...withName(name, 1), tool_name: name, tool_input: withName(name, { a: 1 }) },
        { ...told.payload, hook_event_name: name, session_id: name, agent_id: name, agent_type: name },
        { ...told.payload, hook_event_name: 'PermissionRequest', session_id: name, tool_name: name },
      ]
      for (const payload of payloads)
        for (const env of [told.env, {}])
          await sendFrame(at, { payload: JSON.stringify(payload), header: { env } })
    }
  }, 120_000)

  afterAll(async () => void (await daemon.kill('SIGTERM')))

  const commands = [
    ['schema', 'analyze'],
    ['schema', 'analyze', '--learned', '--json'],
    ['schema', 'types'],
    ['schema', 'types', '--json-schema'],
    ['schema', 'diff'],
    ['schema', 'baseline'],
    ['schema', 'diff'],
    ['doctor'],
    ['sessions', '--all'],
  ]
  for (const command of commands)
    test(`do not break gantry ${command.join(' ')}`, async () => {
      const { stdout, stderr } = await gantry(at, ...command)
      expect(stderr).toBe('')
      expect(stdout).not.toBe('')
    }, 60_000)

  test('are fields and tools like any other, also in a baseline', async () => {
    const made = (await gantryJson(at, 'schema', 'baseline', '--json')) as Baseline[]
    const own = made.find(({ version }) => version === '2.1.325') as Baseline
    const { fields = {}, tools = {} } = own.events.PreToolUse ?? {}
    for (const name of NAMES) {
      expect(Object.keys(fields)).toContain(`${name}?`)
      expect(Object.keys(tools)).toContain(name)
      expect(Object.keys(own.events)).toContain(name)
    }
  }, 120_000)

  test('are permissions to ask for, not questions', async () => {
    const sessions = (await gantryJson(at, 'sessions', '--all', '--json')) as {
      id: string
      attention: { kind: string; reason: string }[]
    }[]
    for (const name of NAMES)
      expect(sessions.find(({ id }) => id === name)?.attention).toContainEqual(
        expect.objectContaining({ kind: 'permission', reason: `Permission for ${name}` }),
      )
  }, 120_000)
})

describe('schema diff', () => {
  const away = makeHome()
  const dir = tempDir()
  const write = (name: string, text: string) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const part = (version: string, events: Baseline['events']): Baseline => ({
    agent: 'claude',
    version,
    date: '2026-01-31',
    from: 'a test',
    events,
  })
  const base = write('base.json', JSON.stringify(part('2.1.325', { Stop: { seen: 9, fields: {} } })))

  test('that compared nothing fails and says why', async () => {
    const line = { agent: 'codex', version: '0.166.0', event: 'Stop', payload: { hook_event_name: 'Stop' } }
    const files = [
      write('empty.jsonl', ''),
      '/dev/null',
      write('codex.jsonl', `${JSON.stringify(line)}\n`),
      write('no-lines.jsonl', '{"a":1}\n'),
    ]
    for (const file of files) {
      const ran = await gantry(away, 'schema', 'diff', '--baseline', base, '--file', file)
      expect({ file, ...ran }).toMatchObject({ exit: 1, stdout: '' })
      expect(ran.stderr).toContain(
        `Nothing was compared: the payloads are of no agent that ${base} is about.`,
      )
    }
    const other = JSON.stringify({ ...line, agent: 'somebody', payload: { hook_event_name: 'Stop' } })
    const unknown = await gantry(away, 'schema', 'diff', '--file', write('other.jsonl', `${other}\n`))
    expect(unknown).toMatchObject({ exit: 1, stderr: expect.stringContaining('Nothing was compared') })
  }, 120_000)

  test('takes a part without a version for one about all versions', async () => {
    const all = ['Stop', 'PreToolUse', 'Notification', 'SessionStart']
    const some = lines.filter(({ event }) => all.includes(event))
    const recorded = write('some.jsonl', some.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const eventsOf = (names: string[]) => Object.fromEntries(names.map((name) => [name, {}]))
    const both = write(
      'both.json',
      JSON.stringify([
        part('', eventsOf(['Notification', 'SessionStart'])),
        part('2.1.325', eventsOf(['Stop', 'PreToolUse'])),
      ]),
    )
    const found = (await gantryJson(
      away,
      'schema',
      'diff',
      '--baseline',
      both,
      '--file',
      recorded,
      '--json',
    )) as {
      kind: string
      event: string
    }[]
    expect(found.filter(({ kind }) => kind === 'new-event')).toEqual([])
    const names = found.map(({ kind, event }) => `${kind} ${event}`)
    expect(names.sort()).toEqual([...new Set(names)].sort())
    expect(found.map(({ event }) => event)).toContain('Notification')
  }, 120_000)

  test('finds no difference between recorded payloads and the baseline that a daemon made of them', async () => {
    const at = makeHome()
    await using _daemon = await startDaemon(at)
    await sendFrames(at, framesOf(lines.flatMap((line) => [line, { ...line, env: {} }])))
    const file = join(dir, 'made.json')
    const made = (await gantryJson(at, 'schema', 'baseline', '--json', '--out', file)) as Baseline[]
    expect(made.map(({ version }) => version).sort()).toEqual(['', '2.1.325'])
    const ran = await gantry(away, 'schema', 'diff', '--baseline', file, '--file', RECORDED)
    expect(ran).toMatchObject({ exit: 0, stdout: 'No differences.\n' })
  }, 120_000)
})

test('an accepted field is out of gantry doctor, also where it was only counted, and stays out', async () => {
  const at = makeHome()
  await using _daemon = await startDaemon(at)
  const drift = async () => (await call(at, 'doctor')).filter(({ about }) => about === 'drift')
  // A short payload of somebody's own: no drift of the agent, and still a field that nobody knows.
  const send = () =>
    sendFrame(at, { payload: JSON.stringify({ hook_event_name: 'Status', session_id: 's', mood: 1 }) })
  await send()
  await call(at, 'schema.drifts')
  const [line] = await drift()
  expect(line?.message).toStartWith('claude Status mood: not known')
  expect(line?.fix).toContain('gantry schema baseline --agent claude')
  await gantry(at, 'schema', 'baseline', '--agent', 'claude')
  expect(await drift()).toEqual([])
  await send()
  await call(at, 'schema.drifts')
  expect(await drift()).toEqual([])
}, 120_000)
