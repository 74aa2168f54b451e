/** Tool calls that no hook announced: found in transcripts while the session runs, counted, shown; and no false alarm. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { call } from '../../src/client/index.ts'
import {
  endDaemon,
  FIXTURES,
  GANTRY,
  gantry,
  HOOK,
  makeHome,
  type RunningDaemon,
  run,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { sessionIn, sessionsIn, sessionWhen } from './session-kit.ts'

const home = makeHome()
const own = home.home ?? ''
let daemon: RunningDaemon

beforeAll(async () => {
  wire('claude', 'codex', 'gemini')
  mkdirSync(join(own, '.claude/projects/acme'), { recursive: true })
  mkdirSync(join(own, '.gemini/tmp'), { recursive: true })
  mkdirSync(join(own, '.codex/sessions'), { recursive: true })
  daemon = await startDaemon(home)
  await ready()
})
afterAll(() => daemon.kill('SIGTERM'))

/** As the installer leaves it: hooks of this agent are expected. */
function wire(...agents: string[]): void {
  mkdirSync(join(home.state, 'install'), { recursive: true })
  for (const agent of agents) writeFileSync(join(home.state, 'install', `${agent}.json`), '{}')
}

/** Only calls count that were made after the daemon had taken in what was said before it: a probe is seen then. */
async function ready(): Promise<void> {
  const path = (n: number) => join(own, '.claude/projects/acme', `probe-${n}.jsonl`)
  let n = 0
  await until(async () => {
    n += 1
    writeFileSync(path(n), claudeCall(`probe-${n}`, `toolu_probe_${n}`))
    await Bun.sleep(250)
    return (await sessionsIn(home)).some(({ id }) => id.startsWith('probe-'))
  }, 'the daemon to watch transcripts')
}

const now = () => new Date().toISOString()

function claudeCall(sessionId: string, id: string, timestamp = now(), name = 'Bash'): string {
  const content = [{ type: 'tool_use', id, name, input: { command: 'ls' } }]
  const line = { type: 'assistant', isSidechain: false, sessionId, cwd: own, version: '2.1.325', timestamp }
  return `${JSON.stringify({ ...line, message: { role: 'assistant', content } })}\n`
}

function claudeResult(sessionId: string, id: string, text = 'ok', isError = false): string {
  const content = [{ type: 'tool_result', tool_use_id: id, content: text, is_error: isError }]
  const line = { type: 'user', isSidechain: false, sessionId, cwd: own, timestamp: now() }
  return `${JSON.stringify({ ...line, message: { role: 'user', content } })}\n`
}

const transcriptOf = (session: string) => join(own, '.claude/projects/acme', `${session}.jsonl`)
const write = (session: string, ...lines: string[]) => appendFileSync(transcriptOf(session), lines.join(''))
const hook = (event: string, session: string, fields: object = {}) =>
  sendFrame(home, {
    event,
    payload: JSON.stringify({
      hook_event_name: event,
      session_id: session,
      transcript_path: transcriptOf(session),
      cwd: own,
      ...fields,
    }),
  })
const callHook = (event: string, session: string, id: string) =>
  hook(event, session, { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: id })
const uncovered = (session: string) => call(home, 'events.list', { session, type: 'ToolCallUncovered' })

/** All calls in transcripts that were written before this are judged: one of another session, written now, is. */
async function allIsJudged(): Promise<void> {
  const session = `judged-${crypto.randomUUID()}`
  await hook('SessionStart', session)
  write(session, claudeCall(session, `toolu_${session}`), claudeResult(session, `toolu_${session}`))
  await until(async () => (await uncovered(session)).length === 1, 'a call without a hook to be judged')
}

/** A recorded transcript, as if it were written now, in a folder of its own. */
function record(agent: string, version: string, scenario: string, folder: string, pick = 0): string {
  const from = join(FIXTURES, agent, version, 'transcripts', scenario)
  const name = readdirSync(from).filter((one) => one.endsWith('.jsonl'))[pick] ?? ''
  const lines = readFileSync(join(from, name), 'utf8').replace(
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g,
    now(),
  )
  const to = join(own, folder, name)
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, lines)
  return lines
}

describe('a run without hooks', () => {
  test.each([
    ['claude', '2.1.325', 'basic', '.claude/projects/other', /"tool_use_id"/],
    ['codex', '0.166.0', 'basic', '.codex/sessions/2026/11/16', /"function_call_output"/],
    ['gemini', '0.61.0', 'basic', '.gemini/tmp/other/chats', /"toolCalls"/],
  ])('%s: is shown with its calls', async (agent, version, scenario, folder, hasCalls) => {
    const lines = record(agent, version, scenario, folder)
    expect(lines).toMatch(hasCalls)
    const found = await until(
      async () =>
        (await sessionsIn(home)).find(
          (one) => one.agent === agent && one.hookless && one.uncoveredCalls && !one.id.startsWith('probe'),
        ),
      'the session that has no hooks',
    )
    expect(found).toMatchObject({ hookless: true, cwd: expect.stringContaining('/') })
    const [event] = await uncovered(found.id)
    const { name: tool = '' } = event?.tool ?? {}
    expect(event?.agent).toBe('gantry')
    expect((await gantry(home, 'sessions')).stdout).toMatch(/no hooks, \d+ calls? not seen by hooks/)
    expect((await gantry(home, 'session', found.id, '--timeline')).stdout).toContain('no hook announced')
    expect((await call(home, 'doctor')).map(({ message }) => message).join('\n')).toMatch(
      new RegExp(`${agent} \\S+: \\d+ decisions? missed .*no hook announced the call`),
    )
    const { rows, missed } = await call(home, 'coverage', {})
    expect(rows).toContainEqual(
      expect.objectContaining({
        agent,
        tool,
        level: 'blind',
        says: expect.stringContaining('doctor'),
      }),
    )
    expect(missed).toContainEqual(expect.objectContaining({ reason: 'no-hook', about: `${agent} ${tool}` }))
  })

  test('is a session with hooks again once one comes', async () => {
    write('again', claudeCall('again', 'toolu_again'))
    await until(
      async () => (await sessionsIn(home)).some(({ id, hookless }) => id === 'again' && hookless),
      'it',
    )
    await callHook('PostToolUse', 'again', 'toolu_again')
    const session = await sessionWhen(home, 'again', ({ hookless }) => hookless === undefined)
    expect(session).not.toHaveProperty('hookless')
  })
})

describe('a session with hooks', () => {
  test('has its calls counted that no hook announced, once each', async () => {
    await hook('SessionStart', 'mixed')
    await callHook('PreToolUse', 'mixed', 'toolu_m1')
    write('mixed', claudeCall('mixed', 'toolu_m1'), claudeResult('mixed', 'toolu_m1'))
    write('mixed', claudeCall('mixed', 'toolu_m2'), claudeResult('mixed', 'toolu_m2'))
    write('mixed', claudeCall('mixed', 'toolu_m2'), claudeResult('mixed', 'toolu_m2'))
    expect(
      await sessionWhen(home, 'mixed', ({ uncoveredCalls }) => uncoveredCalls !== undefined),
    ).toMatchObject({
      uncoveredCalls: 1,
    })
    await allIsJudged()
    expect((await uncovered('mixed')).map(({ tool }) => tool?.useId)).toEqual(['toolu_m2'])
    expect(await sessionIn(home, 'mixed')).not.toHaveProperty('hookless')
  })

  test('gets no alarm for calls that wait, were refused, were invalid, or are old', async () => {
    await hook('SessionStart', 'calm')
    write('calm', claudeCall('calm', 'toolu_c1')) // its turn comes after others
    write(
      'calm',
      claudeCall('calm', 'toolu_c2'),
      claudeResult('calm', 'toolu_c2', '<tool_use_error>no</tool_use_error>', true),
    )
    const old = new Date(Date.now() - 3_600_000).toISOString()
    write('calm', claudeCall('calm', 'toolu_c3', old), claudeResult('calm', 'toolu_c3'))
    await allIsJudged()
    expect(await uncovered('calm')).toEqual([])
  })

  test('gets none for hooks that come after their call, by the spool, or with the end alone', async () => {
    await hook('SessionStart', 'late')
    write('late', claudeCall('late', 'toolu_l1'), claudeResult('late', 'toolu_l1'))
    await callHook('PreToolUse', 'late', 'toolu_l1')
    write('late', claudeCall('late', 'toolu_l2'), claudeResult('late', 'toolu_l2'))
    await callHook('PostToolUse', 'late', 'toolu_l2')
    await allIsJudged()
    expect(await uncovered('late')).toEqual([])
  })

  test('gets none for what its sub-agents do in transcripts of their own', async () => {
    const root = '01a1dd23-b298-7ae0-8411-106461ed132e'
    const payload = { hook_event_name: 'SessionStart', session_id: root, cwd: own, source: 'startup' }
    await sendFrame(home, { agent: 'codex', event: 'SessionStart', payload: JSON.stringify(payload) })
    record('codex', '0.166.0', 'subagent', '.codex/sessions/2026/11/17', 1)
    await allIsJudged()
    const ids = (await sessionsIn(home)).filter(({ agent }) => agent === 'codex').map(({ id }) => id)
    expect(ids).toContain(root)
    expect(ids).not.toContain('01a1dd23-b554-7cd0-9bd2-de9c631554b0')
  })
})

test('an agent whose hooks gantry never wired is left alone', async () => {
  const at = makeHome()
  mkdirSync(join(at.home ?? '', '.claude/projects/acme'), { recursive: true })
  await using _daemon = await startDaemon(at)
  await sendFrame(at, { payload: JSON.stringify({ hook_event_name: 'SessionStart', session_id: 'one' }) })
  const path = join(at.home ?? '', '.claude/projects/acme/two.jsonl')
  for (let i = 0; i < 8; i++) {
    appendFileSync(path, claudeCall('two', `toolu_${i}`))
    await Bun.sleep(250)
  }
  expect((await sessionsIn(at)).map(({ id }) => id)).toEqual(['one'])
})

describe('missed decisions', () => {
  test('are counted with their reason: gantry was away', async () => {
    const at = makeHome()
    const payload = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: {} }
    await gantry(at, 'down') // no hook starts it
    await run([HOOK, 'claude', 'PreToolUse'], at, JSON.stringify(payload))
    await using _daemon = await startDaemon(at)
    await until(async () => (await call(at, 'status')).missed === 1, 'the spooled hook to be counted')
    const { missed, rows } = await call(at, 'coverage', {})
    expect(missed).toMatchObject([{ about: 'claude PreToolUse', reason: 'away', count: 1 }])
    expect(rows).toMatchObject([{ tool: 'Bash', level: 'observed', observed: 1, guarded: 0 }])
    expect((await gantry(at, 'coverage')).stdout).toMatch(/gantry was away[\s\S]*→/)
    expect((await gantry(at, 'status')).stdout).toContain('1 decision missed')
  })
})

describe('the canary of the installer', () => {
  const at = makeHome()
  let its: RunningDaemon
  afterAll(() => its.kill('SIGKILL'))

  /** A person with programs of these names, wired. */
  beforeAll(async () => {
    const bin = join(at.home ?? '', 'programs')
    mkdirSync(bin)
    for (const [id, version] of Object.entries({
      claude: '2.1.325',
      codex: '0.166.0',
      gemini: '0.61.0',
      copilot: '1.0.102',
    }))
      writeFileSync(join(bin, id), `#!/bin/sh\necho '${version}'\n`, { mode: 0o755 })
    const ran = await install('--yes')
    expect(ran.exit, ran.stderr).toBe(0)
    expect(ran.stdout).toContain('gantry install --verify')
    await endDaemon(at)
    its = await startDaemon(at)
  })
  const install = (...args: string[]) =>
    run([GANTRY, 'install', ...args], at, '', { PATH: `${join(at.home ?? '', 'programs')}:/usr/bin:/bin` })

  test('is the command of the settings file, and arrives as an event that is no session', async () => {
    const ran = await install('--verify')
    expect(ran.exit, ran.stdout + ran.stderr).toBe(0)
    for (const title of ['Claude Code', 'Codex', 'Gemini CLI', 'Copilot'])
      expect(ran.stdout).toMatch(new RegExp(`✓ .*${title}.*: its hook reached gantry`))
    expect(await sessionsIn(at)).toEqual([])
    const found = await call(at, 'events.list', { limit: 10 })
    expect(found.map(({ agent, type, transport }) => `${agent} ${type} ${transport}`).toSorted()).toEqual(
      ['claude', 'codex', 'copilot', 'gemini'].map((agent) => `${agent} SessionStart socket`),
    )
    expect((await call(at, 'counters')).filter(({ kind }) => kind !== 'redacted')).toEqual([])
    expect(
      (await run([GANTRY, 'doctor'], at, '', { PATH: `${join(at.home ?? '', 'programs')}:/usr/bin:/bin` }))
        .stdout,
    ).toMatch(/Claude Code 2\.1\.325.*no event yet/)
  })

  test('fails where the hook does not reach gantry', async () => {
    const settings = join(at.home ?? '', '.claude/settings.json')
    const client = join(at.home ?? '', 'bin/gantry-hook')
    expect(readFileSync(settings, 'utf8')).toContain(client)
    writeFileSync(client, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    const ran = await install('claude', '--verify')
    expect(ran.exit).toBe(1)
    expect(ran.stdout).toMatch(/Claude Code: its hook does not work: .*did not get its event/)
  }, 120_000)
})
