/** `gantry record`: what the journal has, as lines that can be played again. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { call, type SessionView } from '../../src/client/index.ts'
import {
  envFor,
  fixtureLines,
  GANTRY,
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

interface Recorded {
  readonly agent: string
  readonly version: string
  readonly event: string
  readonly at: string
  readonly payload?: Record<string, unknown>
  readonly raw?: string
}

const at = makeHome()
let daemon: RunningDaemon
const lines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Recorded)
const record = async (...args: string[]) => {
  const ran = await gantry(at, 'record', ...args)
  expect(ran).toMatchObject({ exit: 0 })
  return lines(ran.stdout)
}
const say = (prompt: string, session: string) =>
  sendFrame(at, {
    payload: JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: session, prompt }),
  })
const CLAUDE = fixtureLines('claude/2.1.325/i-ask.jsonl')
const CODEX = fixtureLines('codex/0.166.0/apply-patch.jsonl')

beforeAll(async () => {
  daemon = await startDaemon(at)
  for (const { agent, event, env, payload } of [...CLAUDE, ...CODEX]) {
    const { CLAUDE_PID: _, ...throttle } = env
    await sendFrame(at, {
      agent,
      event,
      payload: JSON.stringify(payload),
      header: { env: throttle, pid: undefined, ppid: undefined },
    })
  }
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

describe('gantry record', () => {
  test('writes what the fixtures were, agent for agent', async () => {
    const found = await record('--agent', 'claude')
    const theirs = found.filter(({ agent }) => agent === 'claude')
    expect(theirs.map(({ event, payload }) => ({ event, payload }))).toEqual(
      CLAUDE.map(({ event, payload }) => ({ event, payload })),
    )
    expect(theirs[0]).toMatchObject({ version: '2.1.325', transport: 'command' })
    expect(found.some(({ agent }) => agent === 'codex')).toBe(false)
  })

  test('of one session is all of it, with what gantry says of it, in order', async () => {
    const [session] = ((await gantryJson(at, 'sessions', '--all', '--json')) as SessionView[]).filter(
      ({ agent }) => agent === 'codex',
    )
    if (!session) throw new Error('no session')
    await call(at, 'sessions.rename', { session: session.id, name: 'patcher' })
    await say('somebody else', 'other')
    const found = await record('--session', 'patcher')
    expect(found.filter(({ agent }) => agent === 'codex').length).toBeGreaterThan(8)
    expect(found.filter(({ agent }) => agent === 'gantry').map(({ event }) => event)).toContain(
      'SessionRenamed',
    )
    expect(new Set(found.map(({ agent }) => agent))).toEqual(new Set(['codex', 'gantry']))
    expect(await gantry(at, 'record', '--session', 'nobody')).toMatchObject({ exit: 1 })
  })

  test('writes secrets as they are stored: not at all', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    await say(`use ${secret}`, 'secrets')
    const found = await record('--session', 'secrets')
    expect(found).toHaveLength(1)
    expect(JSON.stringify(found)).not.toContain(secret)
    expect(found[0]?.payload?.prompt).toMatch(/^use /)
  })

  test('keeps what is no JSON', async () => {
    await sendFrame(at, { agent: 'odd', event: 'Thing', payload: 'not\njson' })
    expect(await record('--agent', 'odd')).toMatchObject([{ event: 'Thing', raw: 'not\njson' }])
  })

  test('since a time, into a new file for you alone', async () => {
    const file = join(tempDir(), 'out.jsonl')
    const [{ newest = 0 } = {}] = journal<{ newest: number }>(
      at,
      'SELECT max(max(at), max(received_at)) AS newest FROM events',
    )
    const since = new Date(newest + 1).toISOString()
    await until(() => Date.now() > newest + 1, 'a later millisecond')
    await say('lately', 'late')
    const ran = await gantry(at, 'record', '--since', since, '--out', file)
    expect(ran).toMatchObject({ exit: 0, stdout: '' })
    expect(ran.stderr).toMatch(/\d+ events? written to /)
    expect(lines(readFileSync(file, 'utf8')).some(({ payload }) => payload?.prompt === 'lately')).toBe(true)
    expect(lines(readFileSync(file, 'utf8')).some(({ agent }) => agent === 'codex')).toBe(false)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await gantry(at, 'record', '--out', file)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('there already'),
    })
  })

  test('follows what comes until Ctrl-C, without a gap and nothing twice', async () => {
    const file = join(tempDir(), 'live.jsonl')
    await say('before', 'follow')
    const child = Bun.spawn([GANTRY, 'record', '--session', 'follow', '--follow', '--out', file], {
      env: envFor(at),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const prompts = () => {
      try {
        return lines(readFileSync(file, 'utf8')).map(({ payload }) => payload?.prompt)
      } catch {
        return [] // not there, or in the middle of a line
      }
    }
    await until(() => prompts().length === 1, 'what was there')
    for (let i = 0; i < 20; i++) await say(`live ${i}`, i % 2 === 0 ? 'follow' : 'elsewhere')
    await until(() => prompts().includes('live 18'), 'what comes')
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
    expect(prompts()).toEqual(['before', ...Array.from({ length: 10 }, (_, i) => `live ${i * 2}`)])
  })

  test('what it writes can be played', async () => {
    const file = join(tempDir(), 'again.jsonl')
    await gantry(at, 'record', '--session', 'patcher', '--out', file)
    const { stdout } = await gantry(at, 'replay', file, '--speed', 'max', '--json', '--session-prefix', 'r-')
    expect(JSON.parse(stdout)).toMatchObject({ sessions: 1 })
    const played = ((await gantryJson(at, 'sessions', '--all', '--json')) as SessionView[]).find(({ id }) =>
      id.startsWith('r-'),
    )
    expect(played).toMatchObject({ agent: 'codex', phase: 'ended', replayed: true })
  })

  test('whatever an agent called its events, they can be played, and are what they were', async () => {
    const names = ['X\u001b[31m\u001b]0;t\u0007', 'with space', '__proto__', 'é\u009b\u202e', 'x'.repeat(100)]
    for (const hook_event_name of names)
      await sendFrame(at, { payload: JSON.stringify({ hook_event_name, session_id: 'oddly-named' }) })
    const file = join(tempDir(), 'odd.jsonl')
    await gantry(at, 'record', '--session', 'oddly-named', '--out', file)
    const ran = await gantry(at, 'replay', file, '--speed', 'max', '--json', '--session-prefix', 'odd-')
    expect(ran.stderr).not.toContain('left out')
    expect(JSON.parse(ran.stdout)).toMatchObject({ sessions: 1, skipped: 0 })
    const played = (await record()).filter(({ payload }) => String(payload?.session_id).startsWith('odd-'))
    expect(played.map(({ event }) => event)).toEqual([...names, 'SessionEnd'])
  })

  test('says so when the daemon is away', async () => {
    expect(await gantry(makeHome(), 'record')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('gantry up'),
    })
  })
})
