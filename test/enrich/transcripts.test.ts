/** Transcripts through the daemon: read only where the agent keeps them, shown as Markdown and JSON, counted once. */
import { beforeAll, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { call, type TranscriptView } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import {
  FIXTURES,
  gantry,
  gantryJson,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  tempDir,
} from '../kit.ts'
import { claudeTranscript, hook, sessionWith } from './kit.ts'

/** Puts a recorded transcript where the agent would have it, and lets a hook say so. */
async function place(at: Places, agent: string, folder: string, into: string): Promise<string> {
  const dir = join(FIXTURES, folder)
  const [file = ''] = readdirSync(dir).filter((name) => name.endsWith('.jsonl'))
  const path = join(at.home ?? '', into, file)
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(join(dir, file), path)
  await hook(at, 'SessionStart', { session_id: agent, source: 'startup', transcript_path: path }, { agent })
  return path
}

const RECORDED = [
  ['claude', 'claude/2.1.325/transcripts/basic', '.claude/projects/-acme', 12, 'Running.'],
  ['codex', 'codex/0.166.0/transcripts/basic', '.codex/sessions/2026', 2, 'Running.'],
  ['gemini', 'gemini/0.61.0/transcripts/basic', '.gemini/tmp/acme/chats', 5, 'Reading.'],
  ['copilot', 'copilot/1.0.102/transcripts/subagent', '.copilot/session-state/acme', 8, 'Sub done.'],
] as const

/** For all who need no daemon of their own: their sessions have other ids, or are of the recordings. */
const at = makeHome()
let daemon: RunningDaemon
const paths = new Map<string, string>()
beforeAll(async () => {
  daemon = await startDaemon(at)
  for (const [agent, folder, into] of RECORDED) paths.set(agent, await place(at, agent, folder, into))
})

const usageOf = (session: string) => call(at, 'sessions.usage', { session })

test.each(RECORDED)(
  '%s: its transcript is shown as Markdown and as messages',
  async (agent, _, __, ___, said) => {
    const { stdout, exit } = await gantry(at, 'session', agent, '--transcript', '--markdown')
    expect(exit).toBe(0)
    expect(stdout).toContain('## User')
    expect(stdout).toContain(said)
    const view = (await gantryJson(at, 'session', agent, '--transcript', '--json')) as TranscriptView
    expect(view.session).toMatchObject({ id: agent, agent })
    expect(view.cut).toBe(false)
    expect(view.messages[0]).toMatchObject({ role: 'user' })
    expect(view.messages.some(({ tool }) => tool?.result !== undefined)).toBe(true)
    const short = await call(at, 'sessions.transcript', { session: agent, limit: 2 })
    expect(short.messages).toEqual(view.messages.slice(-2))
    expect(short.cut).toBe(true)
  },
)

test('what the turns of each agent used is counted once, however often it is asked', async () => {
  const all = () => Promise.all(RECORDED.map(([agent]) => usageOf(agent)))
  const first = await all()
  expect(first.map(({ total }) => total.requests)).toEqual(RECORDED.map(([, , , requests]) => requests))
  expect(await all()).toEqual(first)
  // The same lines once more are the same requests; and a daemon that was killed goes on where it was.
  await daemon.kill('SIGKILL')
  daemon = await startDaemon(at)
  expect(await all()).toEqual(first)
  for (const path of paths.values()) {
    const lines = await Bun.file(path).text()
    appendFileSync(path, lines.split('\n').slice(-3).join('\n'))
  }
  expect((await all()).map(({ total }) => total.requests)).toEqual(first.map(({ total }) => total.requests))
  for (const [agent] of RECORDED)
    expect((await gantry(at, 'session', agent, '--usage')).stdout).toContain('total')
  expect(await gantryJson(at, 'session', 'claude', '--usage', '--json')).toEqual(await usageOf('claude'))
})

test('a session of Codex has the version that its transcript names', async () => {
  const { agentVersion } = await sessionWith(at, 'codex', (view) => view.agentVersion, 'the version')
  expect(agentVersion).toBe('0.166.0')
})

test('a price that is known gives a cost, one that is not gives none', async () => {
  expect((await usageOf('claude')).total.costUsd).toBeCloseTo(12 * 0.0009, 8)
  expect((await usageOf('codex')).total).toMatchObject({ input: 200, output: 20, costUsd: null })
  expect((await gantry(at, 'session', 'codex', '--usage')).stdout).toMatch(/total.*\?/)
})

test('a session has the cost that its tokens come to, until its agent says what it is', async () => {
  const priced = (check: (usage: Usage) => unknown, what: string) =>
    sessionWith(at, 'claude', ({ usage }) => check(usage as Usage), what)
  await hook(at, 'Stop', { session_id: 'claude' })
  const { usage } = await priced(({ costUsd }) => costUsd !== undefined, 'a cost')
  expect((usage as Usage).costUsd).toBeCloseTo(12 * 0.0009, 6)
  expect(usage).toMatchObject({ costEstimated: true })
  expect((await gantry(at, 'sessions')).stdout).toContain('~$0.01')
  expect((await gantry(at, 'session', 'claude')).stdout).toContain('$0.01, estimated')
  const cost = { total_cost_usd: 2.5 }
  await sendFrame(at, { event: 'statusLine', payload: JSON.stringify({ session_id: 'claude', cost }) })
  const said = await priced(({ costUsd }) => costUsd === 2.5, 'what the agent says')
  expect(said.usage).not.toHaveProperty('costEstimated')
})

test('where a price is not known, a session has no cost', async () => {
  await hook(at, 'Stop', { session_id: 'codex' }, { agent: 'codex' })
  const { total } = await usageOf('codex')
  expect(total.costUsd).toBeNull() // so it is counted
  const { usage } = await sessionWith(at, 'codex', () => true, 'the session')
  expect(usage).not.toHaveProperty('costUsd')
})

test('sub-agents whose transcripts no hook names are counted from the folder of their session, once', async () => {
  const id = '9d2a9c1c-fdbe-4eb3-9a05-f3bebb811715'
  const chats = join(at.home ?? '', '.gemini/tmp/acme/chats')
  const recorded = join(FIXTURES, 'gemini/0.61.0/transcripts/subagents')
  const [file = ''] = readdirSync(recorded).filter((name) => name.endsWith('.jsonl'))
  mkdirSync(chats, { recursive: true })
  cpSync(recorded, chats, { recursive: true })
  const say = (event: string) =>
    hook(at, event, { session_id: id, transcript_path: join(chats, file) }, { agent: 'gemini' })
  await say('BeforeAgent')
  await say('AfterAgent')
  const first = await usageOf(id)
  const of = (agentId?: string) =>
    first.turns.filter((turn) => turn.agentId === agentId).reduce((sum, { requests }) => sum + requests, 0)
  // As the model answered: six requests of the session, five of one sub-agent, two of the other.
  expect(of()).toBe(6)
  expect(of('38b7a775-ed33-403e-9910-d5f9e47fdc9b') + of('680d3f0f-1a6d-41ad-a5e2-621753304362')).toBe(7)
  expect(first.total).toMatchObject({
    requests: 13,
    input: 4 * 100 + 200 + 300 + (333 + 444) + (555 + 600 + 666 + 2 * 100),
  })
  expect(await usageOf(id)).toEqual(first)
  const { usage: shown } = await sessionWith(
    at,
    id,
    ({ usage }) => (usage as Usage).costUsd === rounded(first.total.costUsd),
    'the cost of all of them',
  )
  expect(shown).toMatchObject({ costEstimated: true })
})

const rounded = (cost: number | null) => Math.round((cost ?? 0) * 1e6) / 1e6

test('what a sub-agent writes down after the hook of its end is counted, too, and once', async () => {
  const answer = (id: string, input_tokens: number) => ({
    type: 'assistant',
    isSidechain: true,
    timestamp: '2026-11-15T10:00:00.000Z',
    message: { id, role: 'assistant', model: 'claude-sonnet-4-5', content: [], usage: { input_tokens } },
  })
  const path = claudeTranscript(at, 'agent-a1', [answer('m1', 1_000)])
  const child = { session_id: 'parent', agent_id: 'a1', agent_type: 'Explore' }
  await hook(at, 'UserPromptSubmit', { session_id: 'parent', prompt: 'go' })
  await hook(at, 'SubagentStart', child)
  await hook(at, 'SubagentStop', { ...child, agent_transcript_path: path })
  await sessionWith(at, 'parent', ({ usage }) => (usage as Usage).costUsd === 0.003, 'the first request')
  appendFileSync(path, `${JSON.stringify(answer('m2', 2_000))}\n`.repeat(2))
  const { usage } = await sessionWith(at, 'parent', ({ usage }) => (usage as Usage).costUsd !== 0.003, 'both')
  expect(usage).toMatchObject({ costUsd: 0.009 })
})

interface Usage {
  readonly costUsd?: number
}

describe('hostile transcripts', () => {
  const asked = (session: string) => gantry(at, 'session', session, '--transcript')

  test.each([
    ['outside of the agent’s folder', (at: Places) => join(at.home ?? '', 'elsewhere.jsonl')],
    [
      'behind a link that leads out',
      (at: Places) => {
        const secret = join(tempDir(), 'secret.jsonl')
        writeFileSync(secret, '{"type":"user","uuid":"1","message":{"content":"the secret"}}\n')
        const link = join(at.home ?? '', '.claude/projects/link.jsonl')
        mkdirSync(dirname(link), { recursive: true })
        symlinkSync(secret, link)
        return link
      },
    ],
    ['with a way up in it', (at: Places) => join(at.home ?? '', '.claude/projects/../../x.jsonl')],
    ['that is a device', () => '/dev/zero'],
  ])('one %s is not read', async (what, pathIn) => {
    const session_id = what.replaceAll(' ', '-')
    const path = pathIn(at)
    if (!path.startsWith('/dev') && !path.includes('link'))
      writeFileSync(path, '{"type":"user","uuid":"1","message":{"content":"the secret"}}\n')
    await hook(at, 'SessionStart', { session_id, source: 'startup', transcript_path: path })
    const { exit, stdout, stderr } = await asked(session_id)
    expect(exit).toBe(1)
    expect(stdout + stderr).not.toContain('the secret')
    expect(stderr).toContain('cannot be read')
    expect((await usageOf(session_id)).turns).toEqual([])
  })

  test('secrets are replaced, escape sequences stay text, junk and endless lines are passed over', async () => {
    const token = `ghp_${'a'.repeat(36)}`
    const said = (uuid: string, content: unknown) => ({
      type: 'user',
      uuid,
      message: { role: 'user', content },
    })
    const transcript_path = claudeTranscript(at, 'junk', [
      'junk',
      '{"type":"user","message":',
      'x'.repeat(5 * 1024 * 1024),
      said('u1', `my token is ${token} \u001b]0;owned\u0007`),
      {
        type: 'assistant',
        uuid: 'a1',
        message: {
          id: 'm1',
          content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: `echo ${token}` } }],
        },
      },
    ])
    await hook(at, 'SessionStart', { session_id: 'junk', source: 'startup', transcript_path })
    const { stdout, exit } = await asked('junk')
    expect(exit).toBe(0)
    expect(stdout).not.toContain(token)
    expect(stdout).toContain('my token is [redacted]')
    expect(stdout).toContain('echo [redacted]')
    expect(stdout).not.toContain('\u001b')
  })

  test('a session without a transcript says so', async () => {
    await hook(at, 'Stop', { session_id: 'none', transcript_path: undefined })
    const { exit, stderr } = await asked('none')
    expect(exit).toBe(1)
    expect(stderr).toMatch(/(\S+) has no transcript: claude did not say .* gantry events --session \1$/m)
  })
})

test('a transcript that was written anew, as Copilot does when a turn is taken back, is not counted twice', async () => {
  const path = join(at.home ?? '', '.copilot/session-state/long/events.jsonl')
  const began = Date.now() - 600_000
  const request = (n: number) => ({
    type: 'session.usage_record',
    data: { usage: { model: 'gpt-5.5', inputTokens: 100, outputTokens: 10, apiCallId: `call-${n}` } },
    timestamp: new Date(began + n * 1000).toISOString(),
  })
  const write = (...numbers: number[]) => {
    writeFileSync(`${path}.tmp`, numbers.map((n) => `${JSON.stringify(request(n))}\n`).join(''))
    renameSync(`${path}.tmp`, path)
  }
  const requests = async () => (await usageOf('long')).total.requests
  const many = Array.from({ length: 100 }, (_, n) => n)
  mkdirSync(dirname(path), { recursive: true })
  write(...many)
  await hook(at, 'Stop', { session_id: 'long', transcript_path: path }, { agent: 'copilot' })
  expect(await requests()).toBe(100)
  write(...many.slice(0, 98))
  expect(await requests()).toBe(100)
  write(...many.slice(0, 98), 150)
  expect(await requests()).toBe(101)
})
