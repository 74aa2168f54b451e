/** The hooks of the session and effort layers, sentence by sentence as the engine's description has them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../kit.ts'
import { base, type Desk, newSession, openDesk, project, toolCall } from './kit.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => {
  await desk.daemon.kill('SIGKILL')
})

const session = (id: unknown) => desk.rows(`SELECT * FROM effort_windows WHERE id = ${Number(id)}`)[0]
const messages = (id: unknown) =>
  desk.rows(`SELECT role, content, tool_name FROM messages WHERE session_id = ${Number(id)} ORDER BY id`)
const effortRow = (id: number) => desk.rows(`SELECT * FROM efforts WHERE id = ${id}`)[0]
const agent = (id: string) => desk.rows(`SELECT * FROM agents WHERE id = '${id}'`)[0]
const guard = (ruleId: string, field: string, op: string, value: unknown, urgency = 'allow') => ({
  ruleId,
  condition: { field, op, value },
  payload: { text: `${ruleId} fired` },
  urgency,
})

describe('hooks.sessionStart', () => {
  const start = (cwd: string, more = {}, env?: Record<string, string>) =>
    desk.hook('sessionStart', { ...base(cwd, 'SessionStart'), source: 'startup', ...more }, env)

  test('resolves the ids, finds the active effort, and returns its context', async () => {
    const { effort, cwd } = await desk.effort({ phase: 'plan', metadata: { skillConfig: { depth: 3 } } })
    const found = await start(cwd)
    expect(found).toEqual({
      found: true,
      effortId: effort,
      sessionId: expect.any(Number),
      skill: 'implement',
      phase: 'plan',
      filesToPreload: [],
      dehydratedContext: null,
      skillConfig: { depth: 3 },
    })
    expect(session(found.sessionId)).toMatchObject({
      effort_id: effort,
      heartbeat_counter: 0,
      ended_at: null,
    })
  })

  test('finds the effort by the agent: AGENT_ID picks its own, without one the latest is taken', async () => {
    const { effort: one, cwd } = await desk.effort({ agentId: 'a1' })
    const { effort: two } = await desk.effort({ cwd, agentId: 'a2' })
    expect((await start(cwd, {}, { AGENT_ID: 'a1' })).effortId).toBe(one)
    expect((await start(cwd, {}, { AGENT_ID: 'a2' })).effortId).toBe(two)
    expect((await start(cwd)).effortId).toBe(two)
    expect((await start(cwd, {}, { AGENT_ID: 'a3' })).found).toBe(false)
  })

  test('always creates a new session: none is resumed, each knows the one before', async () => {
    const { cwd } = await desk.effort()
    const session_id = newSession()
    const first = await start(cwd, { session_id })
    const second = await start(cwd, { session_id, source: 'resume' })
    const third = await start(cwd, { session_id: newSession(), source: 'clear' })
    expect(second.sessionId).not.toBe(first.sessionId)
    expect(session(second.sessionId)?.prev_session_id).toBe(first.sessionId)
    expect(session(third.sessionId)?.prev_session_id).toBe(second.sessionId)
    expect(session(first.sessionId)?.ended_at).toBeNumber()
  })

  test('injects the dehydrated context of the window before; without one it rehydrates from the artifacts', async () => {
    const { effort, cwd, taskDir } = await desk.effort()
    await start(cwd)
    const payload = { task: 'Search', decisions: ['FTS5'], files: ['a.ts'], nextSteps: ['rank'] }
    await desk.call('effort.dehydrate', { effort, payload })
    const next = await start(cwd)
    for (const part of ['Search', '- FTS5', '- a.ts', '- rank'])
      expect(next.dehydratedContext).toContain(part)
    mkdirSync(taskDir, { recursive: true })
    writeFileSync(join(taskDir, '1_IMPLEMENT_PLAN.md'), 'the plan')
    const later = await start(cwd)
    expect(later.dehydratedContext).toContain('the plan')
    expect(later.filesToPreload).toEqual([join(taskDir, '1_IMPLEMENT_PLAN.md')])
    expect(JSON.parse(String(session(later.sessionId)?.loaded_files))).toEqual(later.filesToPreload)
  })

  test('finds the project by the longest path, and from a folder below it', async () => {
    const { effort: outer, cwd } = await desk.effort()
    const inner = join(cwd, 'packages/app')
    mkdirSync(join(inner, 'src'), { recursive: true })
    Bun.spawnSync(['git', 'init', '-q'], { cwd: inner })
    const { effort } = await desk.effort({ cwd: inner })
    expect((await start(join(inner, 'src'))).effortId).toBe(effort)
    expect((await start(join(cwd, 'packages'))).effortId).toBe(outer)
  })
})

describe('hooks.sessionEnd', () => {
  test('sets ended_at, updates the agent’s status to done, and notifies the fleet', async () => {
    const { cwd } = await desk.effort({ agentId: 'ender' })
    const env = { AGENT_ID: 'ender' }
    const { session_id } = base(cwd, '')
    const { sessionId } = await desk.hook('userPrompt', { session_id, cwd, prompt: 'go' }, env)
    await desk.call('fleet.await', { timeoutMs: 0 })
    const ended = await desk.hook(
      'sessionEnd',
      { ...base(cwd, 'SessionEnd'), session_id, reason: 'other' },
      env,
    )
    expect(ended).toEqual({ ended: true, sessionId, status: 'done' })
    expect(session(sessionId)).toMatchObject({ ended_at: expect.any(Number), end_reason: 'other' })
    expect(agent('ender')).toMatchObject({ status: 'done' })
    expect(await desk.call('fleet.await', { timeoutMs: 1_000 })).toMatchObject({
      result: 'CHILD',
      signals: [{ about: 'ender', detail: 'done' }],
    })
  })
})

describe('hooks.preCompact', () => {
  const compact = (cwd: string, session_id: string, trigger: string) =>
    desk.hook('preCompact', { ...base(cwd, 'PreCompact', session_id), trigger, custom_instructions: null })

  test('kills on auto only: ends the session, gives a restart prompt, and dehydrates nothing', async () => {
    const { cwd } = await desk.effort()
    const id = newSession()
    const { sessionId } = await desk.hook('sessionStart', base(cwd, 'SessionStart', id))
    for (const trigger of ['manual', ''])
      expect(await compact(cwd, id, trigger)).toEqual({ kill: false, sessionId: null, restartPrompt: null })
    expect(session(sessionId)?.ended_at).toBeNull()
    const killed = await compact(cwd, id, 'auto')
    expect(killed).toEqual({ kill: true, sessionId, restartPrompt: expect.stringContaining('Go on') })
    expect(session(sessionId)).toMatchObject({ end_reason: 'compaction', dehydration_payload: null })
  })
})

describe('hooks.preToolUse', () => {
  const before = (cwd: string, id: string, tool?: string, input?: Record<string, unknown>) =>
    desk.hook('preToolUse', toolCall(cwd, id, tool, input))

  test('increments the heartbeat, and returns what it found', async () => {
    const { cwd } = await desk.effort()
    const id = newSession()
    expect(await before(cwd, id)).toEqual({
      allow: true,
      heartbeatCount: 1,
      contextUsage: 0,
      overflowWarning: false,
      pendingPreloads: [],
      firedRules: [],
    })
    expect((await before(cwd, id)).heartbeatCount).toBe(2)
    expect(desk.rows(`SELECT heartbeat_counter FROM effort_windows WHERE native_id = '${id}'`)).toEqual([
      { heartbeat_counter: 2 },
    ])
  })

  test('blocks at 10 with a reason that says what to do; a log sets it back', async () => {
    const { effort, cwd } = await desk.effort()
    const id = newSession()
    for (let i = 1; i <= 9; i++) expect((await before(cwd, id)).allow).toBe(true)
    const blocked = await before(cwd, id)
    expect(blocked).toMatchObject({ allow: false, heartbeatCount: 10 })
    expect(blocked.reason).toContain('gantry effort log')
    await desk.call('effort.log', { effort, text: 'half way' })
    expect(await before(cwd, id)).toMatchObject({ allow: true, heartbeatCount: 1 })
  })

  test('bypasses engine commands, and only them', async () => {
    const { cwd } = await desk.effort({ metadata: { settings: { heartbeat_block: 2 } } })
    const id = newSession()
    await before(cwd, id)
    await before(cwd, id)
    const log = await before(cwd, id, 'Bash', { command: 'gantry effort log "done; more to come"' })
    expect(log).toMatchObject({ allow: true, heartbeatCount: 2, firedRules: [] })
    const chained = await before(cwd, id, 'Bash', { command: 'gantry effort log x && rm -rf build' })
    expect(chained).toMatchObject({ allow: false, heartbeatCount: 3 })
  })

  test('warns of overflow, at 80 % and at numbers of the effort’s own', async () => {
    const { cwd } = await desk.effort()
    const { cwd: early } = await desk.effort({ metadata: { settings: { overflow_warn: 0.5 } } })
    const [one, two] = [newSession(), newSession()]
    const warned = async (at: string, id: string, percent: number) => {
      await desk.usage(id, at, percent)
      const { contextUsage, overflowWarning } = await before(at, id)
      expect(contextUsage).toBeCloseTo(percent / 100)
      return overflowWarning
    }
    expect([await warned(cwd, one, 79), await warned(cwd, one, 81), await warned(cwd, one, 93)]).toEqual([
      false,
      true,
      true,
    ])
    expect([await warned(early, two, 49), await warned(early, two, 51)]).toEqual([false, true])
    expect(desk.rows(`SELECT context_usage FROM effort_windows WHERE native_id = '${one}'`)).toEqual([
      { context_usage: 0.93 },
    ])
  })

  test('evaluates the custom guards of the effort’s metadata in order', async () => {
    const guards = [
      guard('g1', 'tool', '==', 'WebFetch'),
      guard('g2', 'phase', 'in', ['build', 'test']),
      guard('g3', 'heartbeat_counter', '>=', 2),
      guard('g4', 'context_usage', '<', 0.5, 'block'),
      guard('g5', 'tool', 'not in', ['Bash']),
    ]
    const { cwd } = await desk.effort({ phase: 'build', metadata: { guards } })
    const id = newSession()
    const first = await before(cwd, id)
    expect((first.firedRules as { ruleId: string }[]).map(({ ruleId }) => ruleId)).toEqual(['g2', 'g4'])
    expect(first).toMatchObject({ allow: false, reason: 'g4 fired' })
    await desk.usage(id, cwd, 60)
    const second = await before(cwd, id, 'WebFetch')
    expect(second.firedRules).toEqual(
      ['g1', 'g2', 'g3', 'g5'].map((ruleId) => ({
        ruleId,
        payload: { text: `${ruleId} fired` },
        urgency: 'allow',
      })),
    )
    expect(second.allow).toBe(true)
  })
})

describe('hooks.postToolUse', () => {
  const after = (cwd: string, id: string, tool = 'Bash', input = {}, tool_response: unknown = 'ok') =>
    desk.hook('postToolUse', { ...toolCall(cwd, id, tool, input), tool_response })

  test('reads the heartbeat, and clears the pending injections: delivered once', async () => {
    const { effort, cwd } = await desk.effort()
    const id = newSession()
    await desk.hook('preToolUse', toolCall(cwd, id))
    await desk.call('effort.inject', { effort, text: 'the API changed' })
    await desk.call('effort.inject', { effort, text: 'and the docs' })
    const told = await after(cwd, id)
    expect(told).toEqual({
      heartbeatCount: 1,
      pendingInjections: ['the API changed', 'and the docs'],
      dialogueEntry: null,
    })
    expect((await after(cwd, id)).pendingInjections).toEqual([])
    expect(effortRow(effort)?.metadata).toBe('{}')
  })

  test('formats and stores a dialogue entry for AskUserQuestion', async () => {
    const { cwd } = await desk.effort()
    const id = newSession()
    const questions = [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }]
    const response = { answers: { 'Which colour?': 'Blue' } }
    const { dialogueEntry } = await after(cwd, id, 'AskUserQuestion', { questions }, response)
    expect(dialogueEntry).toBe('Q: Which colour?\nOptions: Red | Blue\nA: Blue')
    const [row] = desk.rows(`SELECT id FROM effort_windows WHERE native_id = '${id}'`)
    expect(messages(row?.id)).toEqual([
      { role: 'dialogue', content: String(dialogueEntry), tool_name: 'AskUserQuestion' },
    ])
  })

  test('discovers directives near the touched file; they are pending once, then loaded', async () => {
    const cwd = project()
    mkdirSync(join(cwd, 'nb'))
    writeFileSync(join(cwd, 'AGENTS.md'), 'use tabs')
    writeFileSync(join(cwd, 'nb/CLAUDE.md'), 'claude reads this itself')
    const { effort } = await desk.effort({ cwd })
    const id = newSession()
    // The keys of a tool's input are the tool's: only `notebook_path` is this one's path.
    await after(cwd, id, 'NotebookEdit', { notebook_path: join(cwd, 'nb/x.ipynb') })
    const file = join(cwd, 'AGENTS.md')
    await until(() => effortRow(effort)?.discovered_directives === JSON.stringify([file]), 'the directive')
    expect((await desk.hook('preToolUse', toolCall(cwd, id))).pendingPreloads).toEqual([file])
    expect((await desk.hook('preToolUse', toolCall(cwd, id))).pendingPreloads).toEqual([])
    expect(desk.rows(`SELECT loaded_files FROM effort_windows WHERE native_id = '${id}'`)).toEqual([
      { loaded_files: JSON.stringify([file]) },
    ])
    const next = await desk.hook('sessionStart', base(cwd, 'SessionStart'))
    expect(next.filesToPreload).toEqual([file])
  })
})

describe('hooks.postToolUseFailure', () => {
  test('updates the status to error, and logs the failure to the messages', async () => {
    const { cwd } = await desk.effort({ agentId: 'failing' })
    const id = newSession()
    for (const [error, is_interrupt] of [
      ['exit code 3', false],
      ['stopped by the user', true],
    ] as const) {
      const args = { ...toolCall(cwd, id), error, is_interrupt }
      const failed = await desk.hook('postToolUseFailure', args, { AGENT_ID: 'failing' })
      expect(failed).toEqual({ logged: true, status: 'error' })
      expect(agent('failing')).toMatchObject({ status: 'error', detail: error })
    }
    const [row] = desk.rows(`SELECT id FROM effort_windows WHERE native_id = '${id}'`)
    expect(messages(row?.id)).toMatchObject([
      { role: 'failure', content: 'exit code 3', tool_name: 'Bash' },
      { role: 'failure', content: 'stopped by the user' },
    ])
  })
})

describe('hooks.stop', () => {
  const stop = (cwd: string, more = {}, env?: Record<string, string>) =>
    desk.hook('stop', { ...base(cwd, 'Stop'), stop_hook_active: false, ...more }, env)
  const API_ERROR = { type: 'assistant', isApiErrorMessage: true, timestamp: '2026-01-01T00:00:00Z' }
  const said = (text: string, more = {}) => ({
    ...API_ERROR,
    message: { content: [{ type: 'text', text }] },
    ...more,
  })
  const prompt = { type: 'user', timestamp: '2026-01-01T00:00:01Z', message: { content: 'go on' } }

  test('updates the status to done, and keeps the last words', async () => {
    const { cwd } = await desk.effort({ agentId: 'stopper' })
    const env = { AGENT_ID: 'stopper' }
    expect(await stop(cwd, { last_assistant_message: 'All done.' }, env)).toEqual({
      status: 'done',
      rateLimited: false,
      contextExhausted: false,
    })
    expect(agent('stopper')?.status).toBe('done')
    expect(desk.rows("SELECT content FROM messages WHERE role = 'assistant'")).toContainEqual({
      content: 'All done.',
    })
  })

  test('checks the end of the transcript for a rate limit and for an exhausted context', async () => {
    const { cwd } = await desk.effort()
    const config = project()
    const folder = join(config, 'projects/app')
    mkdirSync(folder, { recursive: true })
    const endsWith = async (lines: object[], where = join(folder, 's.jsonl')) => {
      const filler = `${JSON.stringify({ type: 'user', filler: 'x'.repeat(100_000) })}\n`
      writeFileSync(where, filler + lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      const { status, rateLimited, contextExhausted } = await stop(
        cwd,
        { transcript_path: where },
        { CLAUDE_CONFIG_DIR: config },
      )
      return { status, rateLimited, contextExhausted }
    }
    const limited = said('API Error: Request rejected (429)', { error: 'rate_limit' })
    const well = { status: 'done', rateLimited: false, contextExhausted: false }
    expect(await endsWith([limited])).toEqual({ status: 'error', rateLimited: true, contextExhausted: false })
    expect(await endsWith([said('Prompt is too long', { error: 'invalid_request' })])).toEqual({
      status: 'error',
      rateLimited: false,
      contextExhausted: true,
    })
    expect(await endsWith([limited, prompt])).toEqual(well)
    // Outside the agent's own folder nothing is read.
    expect(await endsWith([limited], join(cwd, 's.jsonl'))).toEqual(well)
    expect(await stop(cwd, { transcript_path: '/dev/zero' })).toEqual(well)
  })
})
