/** What the page asks about sessions, of a real daemon: strips, timelines, traces, changes. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Trace } from '../../src/timeline/index.ts'
import {
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

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
  for (const [type, fields] of [
    ['SessionStart', { source: 'startup' }],
    ['UserPromptSubmit', { prompt: 'go' }],
    ['PreToolUse', { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'make' } }],
    ['PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'make' } }],
  ] as const)
    await hook('s1', type, fields)
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

const hook = (session_id: string, hook_event_name: string, fields: object = {}) =>
  sendFrame(at, { payload: JSON.stringify({ session_id, hook_event_name, cwd: '/w', ...fields }) })

describe('sessions.activity', () => {
  test('has the strips of living sessions, up to now', async () => {
    await hook('gone', 'SessionStart')
    await hook('gone', 'SessionEnd')
    const strips = await call(at, 'sessions.activity')
    expect(strips.map(({ key }) => key)).toEqual(['claude:s1'])
    expect(strips[0]?.segments.at(-1)?.status).toBe('asks')
    const [first] = strips[0]?.segments ?? []
    expect(first?.from).toBeLessThanOrEqual(first?.to ?? 0)
  })

  test('of one session has that one, ended or not', async () => {
    const [strip] = await call(at, 'sessions.activity', { session: 'gone', since: 0 })
    expect(strip?.key).toBe('claude:gone')
    expect(call(at, 'sessions.activity', { session: 'nobody' })).rejects.toThrow(
      'There is no session "nobody"',
    )
  })
})

describe('sessions.timeline', () => {
  test('has the entries of a session, newest kept, and says what is left out', async () => {
    await hook('s2', 'SessionStart', { source: 'startup' })
    await hook('s2', 'UserPromptSubmit', { prompt: 'x'.repeat(10_000) })
    await hook('s2', 'PreToolUse', { tool_name: 'Write', tool_use_id: 'w', tool_input: big('a') })
    await hook('s2', 'PermissionRequest', { tool_name: 'Write', tool_input: big('a') })
    await hook('s2', 'PostToolUse', { tool_name: 'Write', tool_use_id: 'w', tool_input: big('a') })
    await hook('s2', 'Stop', { last_assistant_message: 'done' })
    const { session, entries, cut } = await call(at, 'sessions.timeline', { session: 's2' })
    expect(session).toMatchObject({ key: 'claude:s2', id: 's2', agent: 'claude' })
    expect(cut).toBe(false)
    expect(entries.map(({ kind }) => kind)).toEqual(['session', 'prompt', 'tool', 'ask', 'stop'])
    expect(entries[1]?.text.length).toBeLessThan(5_000)
    expect(entries[3]?.text).toContain('allowed')
    expect(entries[3]?.endAt).toBeGreaterThanOrEqual(entries[3]?.at ?? Number.POSITIVE_INFINITY)
    const short = await call(at, 'sessions.timeline', { session: 's2', limit: 2 })
    expect(short.entries).toEqual(entries.slice(-2))
    expect(short.cut).toBe(true)
  })

  test('refuses what is not a session, or not a limit', () => {
    expect(call(at, 'sessions.timeline', { session: 'nobody' })).rejects.toThrow(
      'There is no session "nobody"',
    )
    expect(call(at, 'sessions.timeline', { session: 's2', limit: 1e9 })).rejects.toThrow('limit')
  })
})

describe('sessions.changes', () => {
  test('has the edits of every agent, as recorded', async () => {
    const recorded = {
      claude: ['claude/2.1.325/basic.jsonl', 1],
      codex: ['codex/0.166.0/apply-patch.jsonl', 2],
      gemini: ['gemini/0.61.0/basic.jsonl', 1],
      copilot: ['copilot/1.0.102/copilot-basic.jsonl', 1],
      opencode: ['opencode/1.18.33/opencode-basic.jsonl', 1],
    } as const
    for (const [agent, [file, least]] of Object.entries(recorded)) {
      await sendFrames(at, framesOf(fixtureLines(file)))
      const sessions = (await call(at, 'sessions.list', { all: true })).filter((one) => one.agent === agent)
      const all = await Promise.all(sessions.map(({ key }) => call(at, 'sessions.changes', { session: key })))
      const files = all.flatMap((one) => one.files)
      expect([agent, files.length >= least]).toEqual([agent, true])
      for (const { edits, disk } of files) {
        expect(edits.every(({ hunks }) => hunks !== undefined)).toBe(true)
        expect(['gone', 'unknown']).toContain(disk)
      }
    }
  })

  test('compares with the disk, and secrets stay redacted', async () => {
    const dir = tempDir()
    const path = join(dir, 'a.txt')
    writeFileSync(path, 'hello\n')
    const wrote = (content: string) =>
      hook('s9', 'PostToolUse', {
        cwd: dir,
        tool_name: 'Write',
        tool_use_id: 'x',
        tool_input: { file_path: path, content },
      })
    await hook('s9', 'UserPromptSubmit', { cwd: dir, prompt: 'greet' })
    await wrote('hello\n')
    const first = await call(at, 'sessions.changes', { session: 's9' })
    expect(first).toMatchObject({
      cut: false,
      prompts: [{ text: 'greet' }],
      files: [{ path, rel: 'a.txt', disk: 'same' }],
    })
    writeFileSync(path, 'other\n')
    expect((await call(at, 'sessions.changes', { session: 's9' })).files[0]?.disk).toBe('changed')
    const token = `ghp_${'a1B2'.repeat(9)}`
    writeFileSync(path, `TOKEN=${token}\n`)
    await wrote(`TOKEN=${token}\n`)
    const secret = await call(at, 'sessions.changes', { session: 's9' })
    expect(secret.files[0]?.disk).toBe('unknown')
    expect(JSON.stringify(secret)).not.toContain(token)
  })
})

const big = (text: string) => ({ file_path: '/w/a.txt', content: text.repeat(100_000) })

describe('gantry trace', () => {
  test('writes a file for its owner only, and never over another one', async () => {
    const file = join(at.home ?? '', 'trace.json')
    const { exit, stderr } = await gantry(at, 'trace', 's1', '--perfetto', '--out', file)
    expect({ exit, stderr }).toMatchObject({ exit: 0, stderr: expect.stringContaining('ui.perfetto.dev') })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { traceEvents } = JSON.parse(readFileSync(file, 'utf8')) as Trace
    expect(traceEvents.some(({ ph, cat }) => ph === 'X' && cat === 'waits')).toBe(true)
    const again = await gantry(at, 'trace', 's1', '--out', file)
    expect(again.exit).not.toBe(0)
    expect(again.stderr).toContain('is there already')
  })

  test('prints it without a file', async () => {
    const { otherData } = (await gantryJson(at, 'trace', 's1')) as Trace
    expect(otherData.id).toBe('s1')
    expect((await gantry(at, 'trace', 'nobody')).stderr).toContain('There is no session "nobody"')
  })
})
