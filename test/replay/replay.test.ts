/** Recorded sessions, played through a real daemon: what they do there, and what they must not do. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, type SessionView } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import {
  envFor,
  FIXTURES,
  fixtureLines,
  framesOf,
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
import { isLong } from '../long.ts'
import { placeIn } from '../work/places.ts'

setDefaultTimeout(120_000) // many processes each, on machines that are busy

const at = makeHome()
let daemon: RunningDaemon
beforeAll(async () => {
  daemon = await startDaemon(at)
})
afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toBe(0)
})

interface Row {
  readonly type: string
  readonly agent: string
  readonly session_id: string
  readonly transport: string
  readonly client: string
  readonly at: number
  readonly received_at: number
}

const fixture = (file: string) => join(FIXTURES, file)
const rows = (home: Places, where: string) =>
  journal<Row>(home, `SELECT * FROM events WHERE ${where} ORDER BY seq`)
const sessions = (home: Places) => call(home, 'sessions.list', { all: true })

/** A file of recorded lines. */
function recording(...lines: Record<string, unknown>[]): string {
  const file = join(tempDir(), 'recording.jsonl')
  const began = Date.now() - 60_000
  const full = lines.map((line, i) => ({
    agent: 'claude',
    version: '2.1.325',
    event: (line.payload as { hook_event_name?: string }).hook_event_name ?? '',
    at: new Date(began + i * 100).toISOString(),
    env: {},
    ...line,
  }))
  writeFileSync(file, full.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

const hook = (hook_event_name: string, fields: object = {}) => ({
  payload: { hook_event_name, session_id: 'recorded-session', cwd: '/home/dev/acme', ...fields },
})
const bash = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' }

/** What people see of sessions, and what happened in them; what a recording leaves open is ended. */
function facesOf(home: Places, all: readonly SessionView[]): unknown[] {
  const faces = all.map(({ id, agent, phase, children, lastMessage, lastPrompt, error, model }) => {
    const types = rows(home, `session_id = '${id}' AND agent = '${agent}'`).map(({ type }) => type)
    if (types.at(-1) === 'SessionEnd') types.pop()
    const ended = phase === 'idle' ? 'ended' : phase
    const kinds = children.map(({ type }) => type)
    return { agent, ended, kinds, lastMessage, lastPrompt, error, model, types }
  })
  return faces.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
}

describe('gantry replay', () => {
  test('plays a session of each agent, under an id of its own, and what it did is the same', async () => {
    const files = [
      'claude/2.1.325/subagent-sync.jsonl',
      'codex/0.166.0/subagent.jsonl',
      'gemini/0.61.0/basic.jsonl',
      'copilot/1.0.102/copilot-subagent.jsonl',
      'opencode/1.18.33/opencode-permission.jsonl',
    ]
    for (const file of files) {
      const lines = fixtureLines(file)
      const ofAgent = async () => (await sessions(at)).filter(({ agent }) => agent === lines[0]?.agent)
      // Nobody of that number is to be looked after.
      const throttle = lines.map(({ env: { CLAUDE_PID: _, ...env }, ...line }) => ({ ...line, env }))
      for (const one of framesOf(throttle)) await sendFrame(at, one)
      const before = await ofAgent()
      const played = await gantry(at, 'replay', fixture(file), '--speed', 'max', '--json')
      expect(played).toMatchObject({ exit: 0, stderr: '' })
      const after = (await ofAgent()).filter(({ replayed }) => replayed)
      const known = new Set(before.map(({ id }) => id))
      expect(
        after.filter(({ id }) => known.has(id)),
        file,
      ).toEqual([])
      expect(facesOf(at, after), file).toEqual(facesOf(at, before))
    }
  })

  test('twice is two sessions, and the times are those of the recording', async () => {
    const file = recording(
      hook('SessionStart', { source: 'startup' }),
      hook('SessionEnd', { reason: 'exit' }),
    )
    const ids = async () => new Set((await sessions(at)).map(({ id }) => id))
    const before = await ids()
    await gantry(at, 'replay', file)
    await gantry(at, 'replay', file, '--session-prefix', 'again-')
    const fresh = [...(await ids())].filter((id) => !before.has(id))
    expect(fresh).toHaveLength(2)
    expect(fresh.filter((id) => id.startsWith('again-'))).toHaveLength(1)
    for (const id of fresh) {
      const [start, end] = rows(at, `session_id = '${id}'`)
      expect((end?.at ?? 0) - (start?.at ?? 0)).toBe(100)
      expect(Date.now() - (start?.at ?? 0)).toBeGreaterThan(50_000)
      expect(start).toMatchObject({ transport: 'replay' })
    }
  })

  test('as if it were now, when that is asked for', async () => {
    const file = recording(hook('SessionStart', { source: 'startup' }))
    const start = Date.now()
    const { stdout } = await gantry(at, 'replay', file, '--as-now', '--session-prefix', 'now-')
    expect(stdout).toMatch(/played 2 events of 1 session /) // its end was not in the recording
    for (const { at: time } of rows(at, `session_id LIKE 'now-%'`)) expect(time).toBeGreaterThanOrEqual(start)
  })

  test('waits as long as it was, by the speed, but no longer than a limit', async () => {
    const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const file = recording(
      { ...hook('SessionStart', { source: 'startup' }), at: day(3) },
      { ...hook('UserPromptSubmit', { prompt: 'go on' }), at: day(1) },
      { ...hook('SessionEnd'), at: day(0) },
    )
    const play = async (prefix: string, ...args: string[]) => {
      expect(await gantry(at, 'replay', file, '--session-prefix', prefix, ...args)).toMatchObject({ exit: 0 })
      return rows(at, `session_id LIKE '${prefix}%'`).map(({ received_at }) => received_at)
    }
    expect(await play('quick-', '--speed', 'max')).toHaveLength(3)
    const begun = Date.now()
    const [, second = 0, third = 0] = await play('slow-', '--max-gap', '0.4s')
    expect(second).toBeGreaterThanOrEqual(begun + 400)
    expect(third).toBeGreaterThanOrEqual(begun + 800)
  })

  test('goes on after a silence, however long', async () => {
    const silenceMs = isLong ? 35_000 : 500 // longer than anybody waits for an answer
    const began = Date.now() - 600_000
    const times = [0, silenceMs, silenceMs + 100].map((ms) => new Date(began + ms).toISOString())
    const file = recording(
      { ...hook('SessionStart', { source: 'startup' }), at: times[0] },
      { ...hook('UserPromptSubmit', { prompt: 'go on' }), at: times[1] },
      { ...hook('SessionEnd'), at: times[2] },
    )
    const args = ['--max-gap', '1m', '--session-prefix', 'silent-']
    const { exit, stdout } = await gantry(at, 'replay', file, ...args)
    expect({ exit, stdout }).toMatchObject({ exit: 0, stdout: expect.stringContaining('played 3 events') })
    const played = rows(at, `session_id LIKE 'silent-%'`).map(({ type }) => type)
    expect(played).toEqual(['SessionStart', 'UserPromptSubmit', 'SessionEnd'])
  })

  test('leaves sessions open only when it is asked to', async () => {
    const file = recording(hook('UserPromptSubmit', { prompt: 'x' }), hook('PermissionRequest', bash))
    await gantry(at, 'replay', file, '--as-now', '--session-prefix', 'ends-')
    await gantry(at, 'replay', file, '--as-now', '--session-prefix', 'stays-', '--keep-open')
    const all = await sessions(at)
    expect(all.find(({ id }) => id.startsWith('ends-'))).toMatchObject({ phase: 'ended' })
    expect(all.find(({ id }) => id.startsWith('stays-'))).toMatchObject({ phase: 'blocked', needsYou: true })
  })

  test('shows no session for what an agent only does for itself', async () => {
    const home = makeHome()
    await using own = await startDaemon(home)
    const file = fixture('codex/0.166.0/subagent.jsonl')
    const said = await gantry(home, 'replay', file, '--speed', 'max', '--as-now', '--keep-open', '--json')
    expect(JSON.parse(said.stdout)).toMatchObject({ sessions: 1 })
    await gantry(home, 'replay', file, '--speed', 'max', '--as-now')
    for (const one of framesOf(fixtureLines('codex/0.166.0/subagent.jsonl'))) await sendFrame(home, one)
    const live = await sessions(home)
    expect(live.map(({ phase }) => phase)).toEqual(['ended', 'ended', 'ended'])
    expect(live.map(({ lastPrompt = '' }) => lastPrompt).join()).not.toContain('SUBTASK')
    await own.kill('SIGKILL')
    await using _again = await startDaemon(home)
    const faces = (all: SessionView[]) => all.map(({ id, phase, lastPrompt }) => ({ id, phase, lastPrompt }))
    expect(faces(await sessions(home))).toEqual(faces(live))
  })

  test('stops cleanly on Ctrl-C, and ends what it began', async () => {
    const prompts = Array.from({ length: 50 }, (_, i) => hook('UserPromptSubmit', { prompt: `step ${i}` }))
    const file = recording(
      ...prompts.map((line, i) => ({ ...line, at: new Date(Date.now() - 1e6 + i * 1000).toISOString() })),
    )
    const child = Bun.spawn([GANTRY, 'replay', file, '--session-prefix', 'stop-', '--json'], {
      env: envFor(at),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    await until(() => rows(at, `session_id LIKE 'stop-%'`).length >= 1, 'the first of them')
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
    const played = JSON.parse(await new Response(child.stdout).text()) as { events: number; stopped: boolean }
    expect(played).toMatchObject({ stopped: true, sessions: 1 })
    expect(played.events).toBeLessThan(20)
    expect(rows(at, `session_id LIKE 'stop-%'`).at(-1)).toMatchObject({ type: 'SessionEnd' })
  })

  test('names lines that are no recording, and plays the others', async () => {
    const file = recording(hook('SessionStart'))
    appendFileSync(file, 'nonsense\n{"agent":"claude"}\n\n')
    const some = await gantry(at, 'replay', file, '--speed', 'max', '--json')
    expect(JSON.parse(some.stdout)).toMatchObject({ events: 2, skipped: 2 })
    expect(some.stderr).toContain('recording.jsonl:2 was left out: it is not JSON, and 1 more like it')
    writeFileSync(file, 'nonsense\n')
    expect(await gantry(at, 'replay', file)).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('docs/replay.md'),
    })
    expect(await gantry(at, 'replay', join(tempDir(), 'none'))).toMatchObject({ exit: 2 })
    expect(await gantry(at, 'replay')).toMatchObject({ exit: 2 })
    for (const wrong of [
      ['--speed', '0'],
      ['--speed', 'fast'],
      ['--speed', '-1'],
      ['--max-gap', 'x'],
      ['--session-prefix', 'a b'],
    ])
      expect((await gantry(at, 'replay', file, ...wrong)).exit, wrong.join(' ')).toBe(2)
  })

  test('says so when the daemon is away, or goes away', async () => {
    const home = makeHome()
    const lines = Array.from({ length: 200 }, () => hook('UserPromptSubmit', { prompt: 'x' }))
    const file = recording(...lines)
    expect(await gantry(home, 'replay', file)).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('gantry up'),
    })
    await using own = await startDaemon(home)
    const playing = gantry(home, 'replay', file)
    await until(() => rows(home, 'seq > 3').length > 0, 'some events')
    await own.kill('SIGKILL')
    expect(await playing).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/went away.*\d+ were played/),
    })
  })
})

describe('what is played back', () => {
  test('is not decided about: not by rules, not by handlers, not by the work engine', async () => {
    const home = makeHome()
    mkdirSync(home.rules, { recursive: true })
    writeFileSync(
      join(home.rules, 'no.yaml'),
      'rules:\n  - { id: never, on: PreToolUse, decision: deny, reason: no }\n',
    )
    await using _daemon = await startDaemon(home)
    const ran = join(home.home ?? '', 'ran')
    await call(home, 'bus.register', { id: 'h', events: ['*'], command: `echo x >> ${ran}`, priority: 50 })
    const here = placeIn(home)
    expect(await here.gantry('effort', 'start', 'implement', '--title', 'Search')).toMatchObject({ exit: 0 })
    const file = recording(
      hook('SessionStart', { cwd: here.cwd, source: 'startup' }),
      ...[1, 2, 3, 4].map((i) => hook('PreToolUse', { ...bash, cwd: here.cwd, tool_use_id: `t${i}` })),
      hook('Stop', { cwd: here.cwd }),
    )
    expect(await gantry(home, 'replay', file, '--as-now', '--speed', 'max')).toMatchObject({ exit: 0 })
    const decided = journal(home, `SELECT * FROM bus_messages WHERE stream = 'DECISION_EVENTS'`)
    expect(decided).toEqual([])
    expect(await here.json('effort', 'show')).toMatchObject({ heartbeat: 0, windows: 0 })
    // The same for real is decided about by all three: it is the recording that makes the difference.
    expect(await here.hook('SessionStart', { source: 'startup' })).toMatchObject({ exit: 0 })
    const real = await here.hook('PreToolUse', bash)
    expect(real.stdout).toContain('deny')
    expect(await here.json('effort', 'show')).toMatchObject({ windows: 1 })
    await until(() => Bun.file(ran).size > 0, 'the handler, for the real one')
    const handled = (await Bun.file(ran).text()).trim().split('\n').length
    expect(handled).toBeLessThanOrEqual(2)
  })

  test('is told on the bus like everything else', async () => {
    const file = recording(hook('UserPromptSubmit', { prompt: 'for the bus' }))
    const { lastSeq } = await call(at, 'status')
    await gantry(at, 'replay', file, '--speed', 'max')
    const args = ['bus', 'subscribe', '--since', String(lastSeq + 1), '-n', '1', '--json']
    expect((await gantryJson(at, ...args)) as object).toMatchObject({ type: 'UserPromptSubmit' })
  })

  test('has no process, no pane and no transcript, whatever the recording says', async () => {
    const home = makeHome()
    const projects = join(home.home ?? '', '.claude/projects/acme')
    mkdirSync(projects, { recursive: true })
    const transcript = join(projects, 'short.jsonl')
    const words = {
      type: 'user',
      timestamp: new Date().toISOString(),
      message: { role: 'user', content: '[Request interrupted by user]' },
    }
    writeFileSync(transcript, `${JSON.stringify(words)}\n`)
    await using _daemon = await startDaemon(home)
    const victim = Bun.spawn(['sleep', '60'])
    const env = { CLAUDE_PID: String(victim.pid), CLAUDE_CONFIG_DIR: join(home.home ?? '', '.claude') }
    const fields = { transcript_path: transcript }
    const file = recording(
      { ...hook('SessionStart', fields), env },
      { ...hook('UserPromptSubmit', { ...fields, prompt: 'x' }), env },
      { ...hook('PermissionRequest', { ...fields, ...bash }), env },
    )
    await gantry(home, 'replay', file, '--as-now', '--speed', 'max', '--keep-open')
    const real = { session_id: 'real', transcript_path: transcript, prompt: 'x' }
    const payload = JSON.stringify({ hook_event_name: 'UserPromptSubmit', ...real })
    await sendFrame(home, { payload, header: { env } })
    await until(async () => (await sessions(home)).some(({ pid }) => pid === victim.pid), 'its process')
    victim.kill('SIGKILL')
    await victim.exited
    appendFileSync(transcript, `${JSON.stringify({ ...words, timestamp: new Date().toISOString() })}\n`)
    await until(
      () => rows(home, `transport = 'healer' AND session_id = 'real'`).length > 0,
      'what heals a real one',
    )
    const session = (await sessions(home)).find(({ id }) => id !== 'real')
    expect(session).toMatchObject({ phase: 'blocked', replayed: true })
    for (const fact of ['pid', 'pane', 'tmux', 'transcriptPath']) expect(session).not.toHaveProperty(fact)
    expect(rows(home, `transport = 'healer' AND session_id <> 'real'`)).toEqual([])
    for (const { client } of rows(home, `transport = 'replay'`))
      expect(JSON.parse(client)).toEqual({ env: {} })
  })

  test('asks nothing of a supervisor, and gives nobody a name', async () => {
    const own = (name: string, fields: object) => ({
      agent: 'gantry',
      event: name,
      payload: { hook_event_name: name, session_key: 'claude:recorded-session', ...fields },
    })
    const file = recording(
      hook('SessionStart', { source: 'startup' }),
      own('RestartRequested', { run_id: 'run-1' }),
      own('SessionRenamed', { name: 'taken' }),
      own('TitleObserved', { title: 'Fix the upload' }),
      own('UsageObserved', { tokens: 5, context_pct: 42 }),
    )
    const { stdout } = await gantry(
      at,
      'replay',
      file,
      '--speed',
      'max',
      '--json',
      '--session-prefix',
      'own-',
    )
    expect(JSON.parse(stdout)).toMatchObject({ events: 4, skipped: 2 })
    expect(rows(at, `type IN ('RestartRequested', 'SessionRenamed')`)).toEqual([])
    const played = (await sessions(at)).find(({ id }) => id.startsWith('own-'))
    expect(played).toMatchObject({ title: 'Fix the upload', usage: { contextPct: 42 } })
  })
})
