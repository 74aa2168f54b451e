/** The hook outbox of TeleClaude, rule by rule: what each agent's hooks are called there, and what a reader finds. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { call } from '../../src/client/index.ts'
import { newId } from '../../src/events/index.ts'
import { journal, makeHome, type RunningDaemon, sendFrame, startDaemon, until } from '../kit.ts'
import { contentOf, countOf, startServer, type TestServer } from '../nats-kit.ts'
import { AGENTS_ONLY, flood, listen } from './bus-kit.ts'

interface Row {
  readonly id: number
  readonly session_id: string
  readonly event_type: string
  readonly payload: string
  readonly created_at: number
  readonly next_attempt_at: number
  readonly attempt_count: number
  readonly last_error: string | null
  readonly delivered_at: number | null
  readonly locked_at: number | null
}

const LONG_MS = 120_000
const at = makeHome(AGENTS_ONLY)
let server: TestServer
let daemon: RunningDaemon
beforeAll(async () => {
  server = await startServer()
  daemon = await startDaemon(at, { GANTRY_NATS: 'external', BD_NATS_URL: server.url })
})
afterAll(async () => {
  await daemon.kill('SIGTERM')
  await server.kill('SIGTERM')
})

const outbox = (where: string) => journal<Row>(at, `SELECT * FROM hook_outbox WHERE ${where} ORDER BY id`)
const last = () => journal<{ seq: number }>(at, 'SELECT max(seq) AS seq FROM events')[0]?.seq ?? 0
const session = (id: string) => call(at, 'sessions.get', { session: id })

/** What the outbox has of one hook; nothing when it has no name there. */
async function arrives(agent: string, data: object, event?: string): Promise<Row | undefined> {
  const before = last()
  const payload = JSON.stringify(data)
  expect((await sendFrame(at, { agent, payload, ...(event ? { event } : {}) }))?.exit).toBe(0)
  const rows = outbox(`id > ${before}`)
  // A turn that only notify tells has its prompt before it.
  const isNotify = 'thread-id' in data
  if (isNotify) expect(rows.shift()?.event_type).toBe('prompt')
  expect(rows.length).toBeLessThanOrEqual(1)
  return rows[0]
}

/** Agent, what its hook says, the name in the outbox. `session` is where the agent puts the id of its session. */
const RULES: readonly {
  rule: string
  agent: string
  event?: string
  data: Record<string, unknown>
  type: string | undefined
}[] = [
  rule('gemini', 'SessionStart', 'session_start', { source: 'startup' }),
  rule('gemini', 'AfterAgent', 'stop', { prompt: 'hi', prompt_response: 'hello' }),
  rule('gemini', 'Notification', 'notification', {
    notification_type: 'ToolPermission',
    message: 'Tool needs permission',
    details: { type: 'exec', command: 'ls', title: 'Confirm Shell Command' },
  }),
  rule('gemini', 'SessionEnd', 'session_end', { reason: 'exit' }),
  // These only refresh the transcript.
  rule('gemini', 'BeforeModel', undefined, { llm_request: {} }),
  rule('gemini', 'AfterModel', undefined, { llm_request: {}, llm_response: {} }),
  rule('gemini', 'BeforeToolSelection', undefined, { llm_request: {} }),
  rule('gemini', 'PreCompress', undefined, { trigger: 'auto' }),
  rule('claude', 'SessionStart', 'session_start', { source: 'startup' }),
  rule('claude', 'UserPromptSubmit', 'prompt', { user_prompt: 'do it' }),
  rule('claude', 'Stop', 'stop', { user_prompt: 'do it' }),
  rule('claude', 'Notification', 'notification', {
    message: 'Claude needs your permission',
    notification_type: 'permission_prompt',
  }),
  rule('claude', 'SessionEnd', 'session_end', { reason: 'exit' }),
  rule('claude', 'SubagentStop', undefined, { agent_id: 'a1', agent_type: 'x' }),
  rule('claude', 'PreCompact', undefined, { trigger: 'auto' }),
  rule('codex', 'SessionStart', 'session_start', { source: 'startup' }),
  rule('codex', 'UserPromptSubmit', 'prompt', { prompt: 'do it' }),
  rule('codex', 'Stop', 'stop', { last_assistant_message: 'done' }),
  {
    rule: 'codex notify agent-turn-complete → stop',
    agent: 'codex',
    event: 'notify',
    data: {
      type: 'agent-turn-complete',
      'thread-id': 'codex-thread',
      'turn-id': '1',
      client: 'codex-tui',
      cwd: '/w',
      'input-messages': ['first', 'second'],
      'last-assistant-message': 'done',
    },
    type: 'stop',
  },
]

function rule(agent: string, name: string, type: string | undefined, fields: Record<string, unknown>) {
  const data = {
    session_id: `${agent}-native`,
    transcript_path: `/home/me/.${agent}/${name}.jsonl`,
    hook_event_name: name,
    cwd: '/w',
    ...fields,
  }
  return { rule: `${agent} ${name} → ${type ?? 'not in the outbox'}`, agent, data, type }
}

describe('a hook becomes a row', () => {
  test.each(RULES.map((one) => [one.rule, one] as const))('%s', async (_, { agent, event, data, type }) => {
    const row = await arrives(agent, data, event)
    expect(row?.event_type).toBe(type as string)
    if (!row) return
    const native = String(data['thread-id'] ?? data.session_id)
    expect(row.session_id).toBe(native)
    const said = JSON.parse(row.payload) as { data: Record<string, unknown> }
    expect(said).toMatchObject({
      session_id: native,
      event_type: type,
      data: { ...data, session_id: native },
    })
    if (type === 'prompt') expect(said.data.user_prompt).toBe('do it')
    if (agent === 'codex' && type === 'stop' && event) expect(said.data.prompt).toBe('second')
    expect(row).toMatchObject({ attempt_count: 0, last_error: null })
    expect(Object.keys(row)).toEqual([
      'id',
      'session_id',
      'event_type',
      'payload',
      'created_at',
      'next_attempt_at',
      'attempt_count',
      'last_error',
      'delivered_at',
      'locked_at',
      'waits_for',
    ])
    const delivered = () => outbox(`id = ${row.id} AND delivered_at >= created_at`)[0]
    await until(delivered, 'the delivery')
  })
})

describe('what was said last', () => {
  test('is the prompt of Claude, also in its older spelling', async () => {
    const data = { session_id: 'c-last', hook_event_name: 'UserPromptSubmit', user_prompt: 'fix the lift' }
    await arrives('claude', data)
    expect((await session('c-last')).lastPrompt).toBe('fix the lift')
  })

  test('is the prompt that AfterAgent of Gemini tells', async () => {
    await arrives('gemini', {
      session_id: 'g-last',
      hook_event_name: 'AfterAgent',
      prompt: 'paint the bridge',
      prompt_response: 'done',
    })
    expect((await session('g-last')).lastPrompt).toBe('paint the bridge')
  })

  test('is the last of the input messages of Codex', async () => {
    const payload = {
      type: 'agent-turn-complete',
      'thread-id': 'x-last',
      'turn-id': '1',
      client: 'codex-tui',
      'input-messages': ['raise the crane', 'lower the hook'],
      'last-assistant-message': 'lowered',
    }
    await arrives('codex', payload, 'notify')
    expect(await session('x-last')).toMatchObject({ lastPrompt: 'lower the hook', lastMessage: 'lowered' })
  })
})

test('every event of Gemini refreshes where the transcript is, whatever else it means', async () => {
  for (const [n, name] of [
    'SessionStart',
    'BeforeModel',
    'BeforeTool',
    'PreCompress',
    'AfterAgent',
  ].entries()) {
    const transcript_path = `/home/me/.gemini/chats/${n}.json`
    await arrives('gemini', { session_id: 'g-path', hook_event_name: name, transcript_path })
    expect([name, (await session('g-path')).transcriptPath]).toEqual([name, transcript_path])
  }
})

describe('a burst of several sessions', () => {
  test(
    'is delivered serially for each session, with nothing left out, and only a slow subscriber that asked gets less',
    async () => {
      const CRITICAL = ['SessionStart', 'UserPromptSubmit', 'Notification', 'Stop', 'SessionEnd']
      const slow = await listen(at, { coalesce: true })
      const whole = await listen(at)
      slow.pause()
      whole.pause()
      const [from, run] = [last(), newId()]
      const filler = 'x'.repeat(4_000)
      const name = (n: number) => (n % 40 < 5 ? (CRITICAL[n % 40] ?? '') : 'StatusLine')
      const total = 2_000
      const sessionOf = (n: number) => `${run}-${Math.floor(n / 40) % 8}`
      await flood(at, total, (n) => ({ session_id: sessionOf(n), hook_event_name: name(n), n, filler }))
      slow.resume()
      whole.resume()
      const end = last()
      for (const one of [slow, whole]) await until(() => one.messages.at(-1)?.seq === end, 'caught up')
      const numbers = (data: string | undefined) => (JSON.parse(data ?? '{}') as { n: number }).n
      const critical = Array.from({ length: total }, (_, n) => n).filter((n) => n % 40 < 5)
      const told = (reader: typeof slow) => reader.messages.map(({ data }) => numbers(data))
      expect(told(whole)).toEqual(Array.from({ length: total }, (_, n) => n))
      expect(told(slow).filter((n) => n % 40 < 5)).toEqual(critical)
      expect(slow.messages.length).toBeLessThan(total)
      expect(end - from).toBe(total) // the journal has every one

      await until(async () => (await countOf(server, 'HOOK_EVENTS')) >= end, 'everything delivered')
      const found = (await contentOf(server, 'HOOK_EVENTS')).filter(({ session }) => session.startsWith(run))
      expect(found.length).toBe(total)
      for (let s = 0; s < 8; s++) {
        const of = found.filter((one) => one.session === `${run}-${s}`).map(({ data }) => numbers(data))
        expect(of).toEqual([...of].sort((a, b) => a - b))
      }
      slow.close()
      whole.close()
    },
    LONG_MS,
  )
})
