/**
 * What Copilot CLI 1.0.102 tells nobody by a hook: answers to its dialogs, Esc, the last word on an error, what a request
 * used, and that a session is open at all. Real files, in the forms that it was seen to write.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { call, type SessionView } from '../../src/client/index.ts'
import { journal, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'
import { startAgent } from './agent-kit.ts'

const LIMIT_MS = 60_000
const home = makeHome()
const folder = join(home.home ?? '', '.copilot')
let daemon: RunningDaemon
const agents: Subprocess[] = []

beforeAll(async () => {
  mkdirSync(join(folder, 'session-state'), { recursive: true })
  daemon = await startDaemon(home)
})
afterAll(async () => {
  for (const agent of agents) agent.kill()
  await daemon.kill('SIGTERM')
})

const hook = (event: string, sessionId: string, fields: object = {}, header: object = {}) =>
  sendFrame(home, {
    agent: 'copilot',
    event,
    payload: JSON.stringify({ sessionId, timestamp: Date.now(), cwd: '/acme', ...fields }),
    header: { env: {}, ...header },
  })
const placeOf = (id: string) => join(folder, 'session-state', id)
const logOf = (id: string) => join(placeOf(id), 'events.jsonl')
const line = (type: string, data: object, more: object = {}) =>
  `${JSON.stringify({ type, data, id: crypto.randomUUID(), timestamp: new Date().toISOString(), ...more })}\n`
const write = (id: string, type: string, data: object, more: object = {}) =>
  appendFileSync(logOf(id), line(type, data, more))

const find = async (id: string) =>
  (await call(home, 'sessions.list', { all: true })).find((one) => one.id === id)
const shows = (id: string, holds: (shown: SessionView) => boolean, what: string) =>
  until(
    async () => {
      const shown = await find(id)
      return shown && holds(shown) ? shown : undefined
    },
    `${id}: ${what}`,
    LIMIT_MS,
  )
const phase = (id: string, wanted: string) => shows(id, (one) => one.phase === wanted, wanted)

const bash = (command: string) => ({ command, description: 'd', mode: 'sync' })

/** A turn with calls that ask; its transcript is written a moment after the first hook, and no hook names it. */
async function asking(id: string, ...commands: string[]): Promise<void> {
  await hook('sessionStart', id, { source: 'new', initialPrompt: 'go' })
  await hook('userPromptSubmitted', id, { prompt: 'go' })
  mkdirSync(placeOf(id), { recursive: true })
  write(id, 'user.message', { content: 'go', messageId: 'm1' })
  for (const [n, command] of commands.entries()) {
    await hook('preToolUse', id, { toolName: 'bash', toolArgs: bash(command) })
    write(id, 'tool.execution_start', { toolCallId: `c${n}`, toolName: 'bash', arguments: bash(command) })
    write(id, 'permission.requested', { requestId: `r${n}` })
    await hook('notification', id, {
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      message: `Run command: ${command}`,
    })
  }
  if (commands.length > 0) await phase(id, 'blocked')
}

const answer = (id: string, n: number, kind: string) =>
  write(id, 'permission.completed', { requestId: `r${n}`, toolCallId: `c${n}`, result: { kind } })

describe('a dialog', () => {
  test('answered with yes: it works, and its call is open', async () => {
    await asking('yes', './long.sh')
    answer('yes', 0, 'approved')
    const { attention, openTools } = await phase('yes', 'working')
    expect({ attention, openTools }).toMatchObject({ attention: [], openTools: [{ name: 'bash' }] })
  })

  test('answered with no: it works, and the call is over', async () => {
    await asking('no', './long.sh')
    answer('no', 0, 'denied-interactively-by-user')
    expect(await phase('no', 'working')).toMatchObject({ attention: [], openTools: [] })
  })

  test('of two, it waits until the last is answered', async () => {
    await asking('two', './a.sh', './b.sh')
    answer('two', 0, 'approved')
    write('two', 'session.usage_record', { usage: { inputTokens: 7, outputTokens: 3 } })
    await shows('two', ({ usage }) => usage.tokens === 10, 'what was written after the first answer')
    expect((await find('two'))?.phase).toBe('blocked')
    answer('two', 1, 'approved')
    await phase('two', 'working')
  })

  test('left by Esc: it is idle, and nothing is open in the next turn', async () => {
    await asking('esc', './long.sh')
    answer('esc', 0, 'cancelled')
    write('esc', 'abort', { reason: 'user_initiated' })
    expect(await phase('esc', 'idle')).toMatchObject({ attention: [], openTools: [] })
    await hook('userPromptSubmitted', 'esc', { prompt: 'again' })
    expect((await phase('esc', 'working')).openTools).toEqual([])
  })
})

test('Esc that gives the prompt back: another file without the turn takes the place of the old one', async () => {
  await asking('taken-back')
  await shows('taken-back', ({ transcriptPath }) => transcriptPath === logOf('taken-back'), 'its transcript')
  const rewind = { promptCacheBreakState: [{ conversation: 'main', pendingRewriteSources: ['rewind'] }] }
  writeFileSync(`${logOf('taken-back')}.tmp`, line('session.start', {}))
  renameSync(`${logOf('taken-back')}.tmp`, logOf('taken-back'))
  write('taken-back', 'session.usage_checkpoint', rewind)
  await phase('taken-back', 'idle')
})

describe('a request that failed', () => {
  const failed = {
    errorContext: 'model_call',
    recoverable: true,
    error: { message: '500 bad', name: 'Error' },
  }

  test('is tried again: it works, without an error, then and later', async () => {
    await asking('retried')
    await hook('errorOccurred', 'retried', failed)
    const retrying = await shows('retried', ({ detail }) => detail === 'Retrying', 'Retrying')
    expect(retrying).toMatchObject({ phase: 'working', attention: [] })
    expect(retrying.error).toBeUndefined()
    await hook('agentStop', 'retried', { stopReason: 'end_turn', transcriptPath: logOf('retried') })
    const done = await phase('retried', 'idle')
    expect({ attention: done.attention, error: done.error }).toEqual({ attention: [], error: undefined })
  })

  test('for good: the transcript has the last word', async () => {
    await asking('failed')
    await hook('errorOccurred', 'failed', failed)
    write('failed', 'session.error', { errorType: 'query', message: '500 bad', statusCode: 500 })
    expect(await phase('failed', 'idle')).toMatchObject({
      attention: [{ kind: 'error', reason: 'server_error' }],
      error: { kind: 'server_error', message: '500 bad' },
    })
  })
})

test('what a request used: tokens, share of the context, model', async () => {
  await asking('used')
  const usage = { model: 'gpt-5.5', inputTokens: 45_000, outputTokens: 1_000, maxPromptTokens: 92_000 }
  write('used', 'session.usage_record', { usage: { ...usage, apiCallId: 'a1' } })
  const shown = await shows('used', ({ model }) => model !== undefined, 'the model')
  expect(shown).toMatchObject({ model: 'gpt-5.5', usage: { tokens: 46_000, contextPct: 50 } })
})

test('a session that is over before anything is written down: what it used is known all the same', async () => {
  await hook('sessionStart', 'short', { source: 'new', initialPrompt: 'go' })
  await hook('sessionEnd', 'short', { reason: 'complete' })
  await phase('short', 'ended')
  mkdirSync(placeOf('short'), { recursive: true })
  write('short', 'session.usage_record', { usage: { model: 'gpt-5.5', inputTokens: 90, outputTokens: 10 } })
  expect(await shows('short', ({ usage }) => usage.tokens === 100, 'its tokens')).toMatchObject({
    phase: 'ended',
    model: 'gpt-5.5',
  })
})

describe('a transcript that is not its own', () => {
  test('is not looked for by a session id that is a path', async () => {
    mkdirSync(join(folder, 'outside'), { recursive: true })
    writeFileSync(join(folder, 'outside/events.jsonl'), line('abort', { reason: 'user_abort' }))
    await hook('userPromptSubmitted', '../outside', { prompt: 'go' })
    expect((await phase('../outside', 'working')).transcriptPath).toBeUndefined()
  })

  test('is not read through a link out of the folder', async () => {
    const elsewhere = join(home.home ?? '', 'elsewhere.jsonl')
    writeFileSync(elsewhere, line('abort', { reason: 'user_abort' }))
    mkdirSync(placeOf('linked'), { recursive: true })
    symlinkSync(elsewhere, logOf('linked'))
    await hook('userPromptSubmitted', 'linked', { prompt: 'go' })
    appendFileSync(elsewhere, line('abort', { reason: 'user_abort' }))
    await asking('witness')
    await shows('witness', ({ transcriptPath }) => transcriptPath !== undefined, 'its transcript')
    expect(await find('linked')).toMatchObject({ phase: 'working' })
    expect((await find('linked'))?.transcriptPath).toBeUndefined()
  })
})

describe('sessions that are open in a terminal', () => {
  const open = (ids: Readonly<Record<string, number>>) => {
    const entries = Object.entries(ids).map(([id, at]) => [
      id,
      { schemaVersion: 1, openedAt: new Date(at).toISOString(), working: false },
    ])
    const file = join(folder, 'open-sessions-state.json')
    writeFileSync(`${file}.tmp`, JSON.stringify(Object.fromEntries(entries), null, 2))
    renameSync(`${file}.tmp`, file)
  }
  /** A process that runs hooks, and the folder that Copilot makes for a new session of its. */
  const terminal = () => {
    const agent = Bun.spawn(['sleep', '60'])
    agents.push(agent)
    return agent
  }
  const make = (id: string, pid: number) => {
    mkdirSync(placeOf(id), { recursive: true })
    writeFileSync(join(placeOf(id), 'workspace.yaml'), `id: ${id}\ncwd: /acme\nclient_name: github/cli\n`)
    writeFileSync(join(placeOf(id), `inuse.${pid}.lock`), `${pid}`)
  }

  test('one that was resumed waits for a prompt before it gets one', async () => {
    await hook('userPromptSubmitted', 'resumed', { prompt: 'go' })
    await hook('sessionEnd', 'resumed', { reason: 'user_exit' })
    await phase('resumed', 'ended')
    const at = Date.now()
    open({ resumed: at })
    const shown = await phase('resumed', 'starting')
    expect(shown.generation).toBe(2)
    await hook('sessionStart', 'resumed', { source: 'resume', initialPrompt: 'on' })
    expect((await phase('resumed', 'working')).generation).toBe(2)
  })

  test('one that was listed before it ended stays ended', async () => {
    await hook('userPromptSubmitted', 'stale', { prompt: 'go' })
    const at = Date.now() - 5_000
    await hook('sessionEnd', 'stale', { reason: 'user_exit' })
    await phase('stale', 'ended')
    const { pid } = terminal()
    make('fresh', pid)
    open({ stale: at, fresh: Date.now() })
    await phase('fresh', 'starting')
    expect((await find('stale'))?.phase).toBe('ended')
  })

  test('one that /clear began goes on with the one before it, of the same process', async () => {
    await using agent = await startAgent(home, 'copilot', { terminal: true })
    const { pid } = agent
    const facts = { sessionId: 'before', timestamp: Date.now(), cwd: '/acme' }
    await agent.hook('userPromptSubmitted', { ...facts, prompt: 'go' })
    await agent.hook('agentStop', { ...facts, stopReason: 'end_turn' })
    await phase('before', 'idle')
    make('after', pid)
    open({ before: Date.now() - 60_000, after: Date.now() })
    expect(await phase('after', 'starting')).toMatchObject({ cwd: '/acme', pid })
    await phase('before', 'ended')
    await shows('after', ({ prevSessionId }) => prevSessionId === 'before', 'the one before it')
  })

  test('one whose process nobody can see is not shown', async () => {
    make('ghost', 999_999_999)
    const { pid } = terminal()
    make('living', pid)
    open({ ghost: Date.now(), living: Date.now() })
    await phase('living', 'starting')
    expect(await find('ghost')).toBeUndefined()
    rmSync(placeOf('ghost'), { recursive: true })
  })

  test('all of it is in the journal, with its reason', () => {
    const rows = journal<{ raw: string }>(
      home,
      `SELECT raw FROM events WHERE transport = 'healer' AND type = 'SessionStart'`,
    )
    expect(rows.length).toBeGreaterThanOrEqual(4)
    for (const { raw } of rows) expect(JSON.parse(raw).reason).toStartWith('opened: ')
  })
})
