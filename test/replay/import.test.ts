/** Logs of claude-hooks-sdk and gantry's own `--format sdk`: analysed, played, and read into the journal of a real daemon. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionView } from '../../src/client/index.ts'
import {
  gantry,
  gantryJson,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'

setDefaultTimeout(120_000) // many processes each, on machines that are busy

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const SESSION = '74d6d41b-dbef-4522-ab8c-c8623b2f9520'
const BEGAN = Date.parse('2024-02-03T10:00:00.000Z') // older than any clock may be wrong

const hooks = [
  { hook_event_name: 'SessionStart', source: 'resume' },
  { hook_event_name: 'UserPromptSubmit', prompt: 'okay, i see it logging now', permission_mode: 'default' },
  {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls -la' },
    tool_use_id: 'toolu_1',
  },
  {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls -la' },
    tool_response: { stdout: 'a', stderr: '', interrupted: false, isImage: false },
    tool_use_id: 'toolu_1',
  },
  {
    hook_event_name: 'SubagentStop',
    agent_id: '118b0863',
    agent_transcript_path: '/x/agent-118b0863.jsonl',
    stop_hook_active: false,
  },
  {
    hook_event_name: 'Notification',
    message: 'Claude is waiting for your input',
    notification_type: 'idle_prompt',
  },
  { hook_event_name: 'Stop', stop_hook_active: false, _editedFiles: ['/x/a.ts'] },
].map((hook) => ({ ...hook, session_id: SESSION, cwd: '/home/me/project', transcript_path: '/x/t.jsonl' }))

/** As `logEvents` of the SDK writes them. */
function sdkLog(): string {
  const context = { transactionId: 'tx_1_abc', conversationId: SESSION, parentSessionId: SESSION }
  const lines = hooks.map((hook, i) => ({
    input: { hook, conversation: null, context, timestamp: new Date(BEGAN + i * 1000).toISOString() },
    output: { exitCode: 0, success: true, hasOutput: false, hasStdout: false, hasStderr: false },
  }))
  return fileOf(lines)
}

function fileOf(lines: readonly unknown[]): string {
  const file = join(tempDir(), 'events.jsonl')
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  return file
}

interface Row {
  readonly id: string
  readonly type: string
  readonly at: number
  readonly transport: string
  readonly raw: string
}

const imported = (session: string) =>
  journal<Row>(
    at,
    `SELECT * FROM events WHERE session_id = '${session}' AND transport = 'import' ORDER BY seq`,
  )

describe('an events.jsonl of claude-hooks-sdk', () => {
  test('is analysed: every event with its fields, without what the SDK added', async () => {
    const { events } = (await gantryJson(at, 'schema', 'analyze', '--file', sdkLog(), '--json')) as {
      events: { event: string; fields: { path: string }[] }[]
    }
    expect(events.map(({ event }) => event).sort()).toEqual(hooks.map((hook) => hook.hook_event_name).sort())
    const stop = events.find(({ event }) => event === 'Stop')?.fields.map(({ path }) => path)
    expect(stop).toContain('stop_hook_active')
    expect(stop).not.toContain('_editedFiles')
    const people = await gantry(at, 'schema', 'analyze', '--file', sdkLog())
    expect(people.stdout).toMatch(
      /Never seen of claude[\s\S]*PermissionRequest +ask for a command[\s\S]*SessionEnd +leave/,
    )
  })

  test('is played', async () => {
    const played = await gantryJson(at, 'replay', sdkLog(), '--speed', 'max', '--json')
    expect(played).toMatchObject({ events: hooks.length + 1, sessions: 1, skipped: 0 }) // and an end
  })

  test('is imported once, with its own times and marked, and raises nothing', async () => {
    const before = (await gantryJson(at, 'sessions', '--all', '--json')) as SessionView[]
    const file = sdkLog()
    expect(await gantryJson(at, 'events', 'import', file, '--json')).toEqual({
      added: hooks.length,
      known: 0,
      leftOut: 0,
    })
    const rows = imported(SESSION)
    expect(rows.map(({ type }) => type)).toEqual(hooks.map((hook) => hook.hook_event_name))
    expect(rows.map((row) => row.at)).toEqual(hooks.map((_, i) => BEGAN + i * 1000))
    expect(JSON.parse(rows[6]?.raw ?? '')).not.toHaveProperty('_editedFiles')
    expect(await gantryJson(at, 'events', 'import', file, '--json')).toMatchObject({
      added: 0,
      known: hooks.length,
    })
    expect(imported(SESSION)).toEqual(rows)

    expect(await gantryJson(at, 'sessions', '--all', '--json')).toEqual(
      before.map((one) => expect.objectContaining({ key: one.key })),
    )
    const told = await gantry(
      at,
      'bus',
      'subscribe',
      '--since',
      'all',
      '--count',
      '1',
      '--filter',
      'Notification',
      '--json',
    )
    expect(JSON.parse(told.stdout)).not.toMatchObject({ session: SESSION }) // the one that was played
    expect(journal(at, 'SELECT * FROM notifications')).toEqual([])
    const listed = await gantry(at, 'events', '--session', SESSION)
    expect(listed.stdout).toContain('ls -la')
  })

  test('a rebuild of the sessions knows nothing of it either', async () => {
    expect(await daemon.kill('SIGKILL')).not.toBe(0)
    daemon = await startDaemon(at)
    const all = (await gantryJson(at, 'sessions', '--all', '--json')) as SessionView[]
    expect(all.map(({ id }) => id)).not.toContain(SESSION)
  })

  test('lines that are none are left out, and the first is named', async () => {
    const ran = await gantry(
      at,
      'events',
      'import',
      fileOf([{ hello: 1 }, [], { input: { hook: hooks[0] } }]),
    )
    expect(ran.exit).toBe(1)
    expect(ran.stderr).toContain('events.jsonl:1 was left out: it names no agent')
    expect(ran.stderr).toContain('Nothing was imported')
  })

  test('files of its recorder and its error queue are read as well', async () => {
    const [hook] = hooks
    const context = { transactionId: 'tx_2_abc' }
    const file = fileOf([
      { timestamp: BEGAN, event: { ...hook, session_id: 'r1', context } },
      {
        event: { ...hook, session_id: 'r1' },
        error: 'x',
        timestamp: '2024-02-03T10:00:01.000Z',
        retryCount: 1,
      },
    ])
    expect(await gantryJson(at, 'events', 'import', file, '--json')).toMatchObject({ added: 2 })
    expect(imported('r1').map(({ raw }) => 'context' in JSON.parse(raw))).toEqual([false, false])
  })
})

test("gantry's own sdk lines go to another journal with their ids, and not into their own again", async () => {
  const payload = JSON.stringify({ prompt: 'hello', sessionId: 's-copilot', timestamp: 1_700_000_000_000 })
  await sendFrame(at, { agent: 'copilot', event: 'userPromptSubmitted', payload })
  await sendFrame(at, { payload: JSON.stringify({ hook_event_name: 'Stop', session_id: 's-claude' }) })
  const lines = await until(async () => {
    const { stdout } = await gantry(at, 'events', '--format', 'sdk', '-n', '2')
    return stdout.trim().split('\n').length === 2 ? stdout : undefined
  }, 'two lines')
  const file = join(tempDir(), 'own.jsonl')
  writeFileSync(file, lines)
  expect(await gantryJson(at, 'events', 'import', file, '--json')).toMatchObject({ added: 0, known: 2 })

  const other = makeHome()
  await using second = await startDaemon(other)
  expect(await gantryJson(other, 'events', 'import', file, '--json')).toMatchObject({ added: 2, known: 0 })
  const all = 'SELECT id, agent, type, native, session_id, at, raw FROM events'
  const ids = lines
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { gantry: { id: string } }).gantry.id)
  const here = journal<{ id: string }>(at, all).filter(({ id }) => ids.includes(id))
  expect(journal(other, all)).toEqual(here)
  expect(await second.kill('SIGTERM')).toBe(0)
})
