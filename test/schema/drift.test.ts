/** An agent that changes its payloads, seen from outside: events, doctor, and what a crash does to it. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import {
  type FixtureLine,
  fixtureLines,
  framesOf,
  gantry,
  journal,
  makeHome,
  sendFrame,
  sendFrames,
  startDaemon,
  until,
} from '../kit.ts'

const lines = fixtureLines('claude/2.1.325/_one-of-each.jsonl')
const stop = lines.find(({ event }) => event === 'Stop') as FixtureLine

async function send(
  at: Places,
  { agent, event, env, payload }: FixtureLine,
  changes: object = {},
): Promise<void> {
  const text = JSON.stringify({ ...payload, ...changes })
  expect(await sendFrame(at, { agent, event, payload: text, header: { env } })).toMatchObject({ exit: 0 })
}

const AS_NEW = { env: { ...stop.env, AI_AGENT: 'claude-code_2-1-400_harness' } }

function raised(at: Places, type = 'SchemaDrift'): Record<string, unknown>[] {
  return journal<{ raw: string }>(at, `SELECT raw FROM events WHERE type = '${type}' ORDER BY seq`).map(
    ({ raw }) => JSON.parse(raw),
  )
}

const driftLines = async (at: Places) => (await call(at, 'doctor')).filter(({ about }) => about === 'drift')
/** Once everything that came is learned, which takes two seconds when nobody asks. */
const learned = (at: Places) => call(at, 'schema.drifts')

/** For the first two tests: what is no drift leaves nothing behind. */
const shared = makeHome()
beforeAll(async () => void (await startDaemon(shared)))

test('what Claude Code sends in a worktree, and of commands that edit files or say a lot, is no drift', async () => {
  const at = shared
  const ofEvent = (name: string) => lines.find(({ event }) => event === name) as FixtureLine
  const [line, ran] = [ofEvent('statusLine'), ofEvent('PostToolUse')]
  const workspace = { ...(line.payload.workspace as object), git_worktree: 'side' }
  await send(at, line, { workspace })
  const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines: [' one', '+two'] }
  const tool_response = {
    stdout: '',
    stderr: '',
    interrupted: false,
    isImage: false,
    noOutputExpected: true,
    bashEditDiff: { files: [{ filePath: 'a.txt', hunks: [hunk] }], moreFiles: 0, changedFiles: ['a.txt'] },
    staleReadFileStateHint: 'a.txt changed',
    persistedOutputPath: '/home/dev/.claude/tool-results/1.txt',
    persistedOutputSize: 200_000,
  }
  const bash = { tool_name: 'Bash', tool_input: { command: 'echo two >> a.txt' }, tool_response }
  for (let i = 0; i < 3; i++) await send(at, ran, bash)
  await learned(at)
  expect(raised(at)).toEqual([])
  expect(await driftLines(at)).toEqual([])
}, 120_000)

describe('a mutated payload', () => {
  test('is exactly one event and one line of doctor, among all recorded ones, and however often it comes', async () => {
    const at = shared
    await sendFrames(at, framesOf(lines))
    await learned(at)
    expect(raised(at)).toEqual([])
    for (let i = 0; i < 5; i++) await send(at, stop, { brand_new: i })
    await until(() => raised(at).length > 0, 'the event')
    await learned(at)
    expect(raised(at)).toMatchObject([
      {
        agent: 'claude',
        version: '2.1.325',
        event: 'Stop',
        path: 'brand_new',
        kind: 'new-field',
        severity: 'info',
      },
    ])
    const cause = journal(at, `SELECT raw FROM events WHERE id = '${raised(at)[0]?.cause}'`)
    expect(cause).toMatchObject([{ raw: expect.stringContaining('"brand_new":0') }])
    const told = `SELECT session_id, cwd FROM events WHERE type = 'SchemaDrift'`
    expect(journal(at, told)).toEqual([{ session_id: stop.payload.session_id, cwd: stop.payload.cwd }])
    const found = await driftLines(at)
    expect(found).toHaveLength(1)
    expect(found[0]?.message).toStartWith('claude 2.1.325 Stop: new field "brand_new" (integer), first seen ')
  }, 120_000)

  const cases: Record<string, [object, object]> = {
    'without a required field': [
      { stop_hook_active: undefined },
      { kind: 'missing-field', severity: 'breaking' },
    ],
    'with a changed type': [{ stop_hook_active: 'no' }, { kind: 'changed-type', severity: 'breaking' }],
    'with a new word': [
      { permission_mode: 'yolo' },
      { kind: 'new-value', severity: 'notable', after: 'yolo' },
    ],
    'of a new event': [{ hook_event_name: 'Dream' }, { kind: 'new-event', event: 'Dream' }],
    'with an old name': [
      { stop_hook_active: undefined, stop_hook_running: false },
      { kind: 'renamed-field', before: 'stop_hook_active', after: 'stop_hook_running' },
    ],
  }
  for (const [name, [changes, drift]] of Object.entries(cases)) {
    test(`${name} is one event, also right after the start and twice`, async () => {
      const at = makeHome()
      await using _daemon = await startDaemon(at)
      for (let i = 0; i < 2; i++) await send(at, stop, changes)
      await learned(at)
      expect(raised(at)).toMatchObject([drift])
      expect(await driftLines(at)).toHaveLength(1)
    }, 60_000)
  }

  test('is told once over kill -9 and a start, until it is accepted by a baseline: then doctor is quiet, and the same is no news any more', async () => {
    const at = makeHome()
    const first = await startDaemon(at)
    await send(at, stop, { brand_new: 1 })
    await learned(at)
    expect(raised(at)).toHaveLength(1)
    await first.kill('SIGKILL')
    await using _second = await startDaemon(at)
    await send(at, stop, { brand_new: 2 })
    const shapes = await call(at, 'schema.shapes')
    expect(shapes.map(({ count }) => count)).toEqual([2])
    expect(raised(at)).toHaveLength(1)
    expect(await driftLines(at)).toHaveLength(1)
    const { exit, stdout } = await gantry(at, 'schema', 'baseline', '--agent', 'claude')
    expect({ exit, stdout }).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/claude 2\.1\.325 {2}1 event,/),
    })
    expect(await driftLines(at)).toEqual([])
    await send(at, stop, { brand_new: 3 })
    await send(at, stop, { brand_new: 'x' })
    await learned(at)
    expect(raised(at)).toHaveLength(2)
    expect(raised(at)[1]).toMatchObject({ kind: 'changed-type', path: 'brand_new', before: 'integer' })
  }, 120_000)
})

describe('an agent that was upgraded', () => {
  test('is one event that says what is different', async () => {
    const at = makeHome()
    await using _daemon = await startDaemon(at)
    await send(at, stop)
    for (let i = 0; i < 3; i++) await send(at, { ...stop, ...AS_NEW }, { brand_new: 1 })
    await learned(at)
    expect(raised(at, 'AgentVersionChanged')).toMatchObject([
      {
        agent: 'claude',
        from: '2.1.325',
        to: '2.1.400',
        differences: [{ kind: 'new-field', event: 'Stop', path: 'brand_new' }],
        more: 0,
        message: 'claude 2.1.400 was 2.1.325 before: 1 differences',
      },
    ])
    expect(raised(at)).toHaveLength(1)
    const diff = await gantry(at, 'schema', 'diff', '2.1.325..2.1.400')
    expect(diff).toMatchObject({ exit: 0, stdout: expect.stringContaining('Stop: new field "brand_new"') })
  }, 120_000)
})

describe('switched off', () => {
  test('nothing is learned, and the counters still tell of unknown fields', async () => {
    const at = makeHome('[schema]\nenabled = false\n')
    await using _daemon = await startDaemon(at)
    await send(at, stop, { brand_new: 1 })
    const found = await until(async () => (await driftLines(at))[0], 'the line')
    expect(found.message).toContain('claude Stop brand_new: not known')
    expect(await call(at, 'schema.shapes')).toEqual([])
    expect(raised(at)).toEqual([])
  }, 120_000)
})
