/** What agents do not say: Esc, a rejected dialog, a dialog that was answered, kill -9. Real files, real processes. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import {
  until as eventually,
  FIXTURES,
  gantryJson,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
} from '../kit.ts'

interface Shown {
  readonly phase: string
  readonly detail?: string
  readonly parentSessionId?: string
  readonly title?: string
  readonly lastPrompt?: string
  readonly usage: { readonly tokens?: number; readonly contextPct?: number }
  readonly attention: readonly { readonly reason: string }[]
}

const home = makeHome()
const projects = join(home.home ?? '', '.claude/projects/acme')
let daemon: RunningDaemon

beforeAll(async () => {
  mkdirSync(projects, { recursive: true })
  daemon = await startDaemon(home)
})
afterAll(() => daemon.kill('SIGTERM'))

const hook = (name: string, session: string, fields: object = {}, env: Record<string, string> = {}) =>
  sendFrame(home, {
    payload: JSON.stringify({
      hook_event_name: name,
      session_id: session,
      transcript_path: transcriptOf(session),
      ...fields,
    }),
    header: { env },
  })
const transcriptOf = (session: string) => join(projects, `${session}.jsonl`)
const session = async (id: string) => (await gantryJson(home, 'session', id, '--json')) as Shown

async function until(id: string, holds: (shown: Shown) => boolean, withinMs: number): Promise<Shown> {
  const end = Date.now() + withinMs
  for (;;) {
    const shown = await session(id)
    if (holds(shown) || Date.now() > end) return shown
    await Bun.sleep(20)
  }
}

const bash = { tool_name: 'Bash', tool_input: { command: 'sleep 4.217' } }

/** The lines of a recorded transcript, as if they were written now. */
function recorded(file: string, type: string): string[] {
  return readFileSync(join(FIXTURES, 'claude/2.1.325/transcripts', file), 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"type": "${type}"`) || line.includes(`"type":"${type}"`))
    .map((line) => JSON.stringify({ ...JSON.parse(line), timestamp: new Date().toISOString() }))
}

describe('the transcript', () => {
  test('a rejected dialog, which no hook tells of, ends in idle', async () => {
    writeFileSync(transcriptOf('esc'), '')
    await hook('UserPromptSubmit', 'esc', { prompt: 'go' })
    await hook('PreToolUse', 'esc', { ...bash, tool_use_id: 't1' })
    await hook('PermissionRequest', 'esc', bash)
    expect((await session('esc')).phase).toBe('blocked')
    const lines = recorded('i-perm-no/0d06296e-4baf-46ed-bcfb-bc7aa0b76156.jsonl', 'user').slice(1)
    appendFileSync(transcriptOf('esc'), `${lines.join('\n')}\n`)
    expect(await until('esc', ({ phase }) => phase === 'idle', 2000)).toMatchObject({
      phase: 'idle',
      attention: [],
    })
    const events = (await gantryJson(
      home,
      'rpc',
      'events.list',
      '{"session":"esc","type":"Interrupt"}',
    )) as object[]
    expect(events).toMatchObject([
      { transport: 'healer', reason: expect.stringContaining('interrupted by user') },
    ])
  })

  describe('of Gemini, whose hooks end a failed turn like any other', () => {
    const chats = join(home.home ?? '', '.gemini/tmp/acme/chats')
    const said = '[API Error: no such model (Status: INVALID_ARGUMENT)]'
    const gemini = (name: string, id: string) =>
      sendFrame(home, {
        agent: 'gemini',
        payload: JSON.stringify({
          hook_event_name: name,
          session_id: id,
          transcript_path: join(chats, `${id}.jsonl`),
          prompt: 'go',
        }),
        header: { ppid: 1 }, // this process is no agent
      })
    const fail = (id: string, at: number) => {
      const line = { id: 'm1', timestamp: new Date(at).toISOString(), type: 'error', content: said }
      appendFileSync(join(chats, `${id}.jsonl`), `${JSON.stringify(line)}\n`)
    }

    test.each(['the error first', 'its hook first'])('the failure stays: %s', async (first) => {
      const id = first.replaceAll(' ', '-')
      mkdirSync(chats, { recursive: true })
      writeFileSync(join(chats, `${id}.jsonl`), '')
      await gemini('BeforeAgent', id)
      await Bun.sleep(20)
      const failedAt = Date.now()
      if (first === 'the error first') fail(id, failedAt)
      await Bun.sleep(30)
      await gemini('AfterAgent', id)
      if (first === 'its hook first') fail(id, failedAt)
      const written = Date.now()
      const shown = await until(id, ({ attention }) => attention.length > 0, 2000)
      expect(Date.now() - written).toBeLessThan(1500)
      expect(shown).toMatchObject({
        phase: 'idle',
        attention: [{ kind: 'error', reason: 'invalid_request' }],
        error: { kind: 'invalid_request', message: said },
      })
      await gemini('BeforeAgent', id)
      expect(await session(id)).toMatchObject({ phase: 'working', attention: [] })
    })
  })

  test('the end of a turn that a hook told says nothing of a sub-agent in the background, which asks', async () => {
    const child = { agent_id: 'a1', agent_type: 'general-purpose' }
    const call = { tool_name: 'Agent', tool_input: { prompt: 'go' }, tool_use_id: 'c1' }
    writeFileSync(transcriptOf('apart'), '')
    await hook('UserPromptSubmit', 'apart', { prompt: 'go' })
    await hook('PreToolUse', 'apart', call)
    await hook('SubagentStart', 'apart', child)
    await hook('PostToolUse', 'apart', { ...call, tool_response: { isAsync: true, agentId: 'a1' } })
    await hook('PreToolUse', 'apart', { ...bash, ...child, tool_use_id: 't1' })
    await hook('PermissionRequest', 'apart', { ...bash, ...child })
    await hook('Stop', 'apart', { background_tasks: [{ id: 'a1', type: 'subagent', status: 'running' }] })
    const line = { type: 'system', subtype: 'turn_duration', timestamp: new Date().toISOString() }
    const title = { type: 'custom-title', customTitle: 'read', timestamp: new Date().toISOString() }
    appendFileSync(transcriptOf('apart'), `${JSON.stringify(line)}\n${JSON.stringify(title)}\n`)
    await until('apart', (shown) => shown.title === 'read', 5000)
    await Bun.sleep(600) // a hook would have the time to say the same first
    expect(await session('apart')).toMatchObject({
      phase: 'blocked',
      background: [{ id: 'a1' }],
      attention: [{ agentId: 'a1', reason: 'Permission for Bash' }],
    })
    const stops = await gantryJson(home, 'rpc', 'events.list', '{"session":"apart","type":"Stop"}')
    expect(stops).toMatchObject([{ transport: 'socket' }])
  })

  test('a message of a teammate begins a turn, for which no hook runs', async () => {
    writeFileSync(transcriptOf('lead'), '')
    await hook('UserPromptSubmit', 'lead', { prompt: 'go' })
    await hook('Stop', 'lead', { background_tasks: [{ id: 't1', type: 'teammate', status: 'running' }] })
    expect((await session('lead')).phase).toBe('idle')
    const content =
      'Another Claude session sent a message:\n<teammate-message teammate_id="bob">hi</teammate-message>'
    const line = { type: 'user', message: { role: 'user', content }, timestamp: new Date().toISOString() }
    appendFileSync(transcriptOf('lead'), `${JSON.stringify(line)}\n`)
    expect((await until('lead', ({ phase }) => phase === 'working', 2000)).phase).toBe('working')
    expect((await session('lead')).lastPrompt).toBe('go')
    await hook('Stop', 'lead', { background_tasks: [{ id: 't1', type: 'teammate', status: 'running' }] })
    expect((await session('lead')).phase).toBe('idle')
  })

  test('a line from before the turn changes nothing', async () => {
    await hook('UserPromptSubmit', 'old', { prompt: 'go' })
    const lines = readFileSync(
      join(FIXTURES, 'claude/2.1.325/transcripts/i-perm-no/0d06296e-4baf-46ed-bcfb-bc7aa0b76156.jsonl'),
      'utf8',
    )
    writeFileSync(transcriptOf('old'), lines.replaceAll('2026-11', '2020-11'))
    await hook('PreToolUse', 'old', { ...bash, tool_use_id: 't1' })
    await Bun.sleep(600)
    expect((await session('old')).phase).toBe('working')
  })

  test('tells what the context holds', async () => {
    writeFileSync(transcriptOf('use'), '')
    await hook('UserPromptSubmit', 'use', { prompt: 'go' })
    await hook('PreToolUse', 'use', { ...bash, tool_use_id: 't1' })
    const line = recorded('basic/c4f3ad2a-d89e-4889-830b-e7c835403de8.jsonl', 'assistant')[0] ?? ''
    appendFileSync(transcriptOf('use'), `${line}\n`)
    expect((await until('use', ({ usage }) => usage.tokens !== undefined, 2000)).usage.tokens).toBe(125)
  })

  describe('of a run without a status line tells how full the context is', () => {
    const ATTACHMENT = { isSidechain: false, type: 'attachment' }
    const announces = (modelId: string) => ({
      ...ATTACHMENT,
      attachment: { type: 'model', identity: { modelId, marketingName: 'A model' } },
    })
    const answers = (model: string, input_tokens: number) => ({
      isSidechain: false,
      type: 'assistant',
      message: { role: 'assistant', model, usage: { input_tokens }, content: [] },
    })

    test.each([
      ['a model of 200k', [answers('claude-sonnet-4-5', 150_000)], 75],
      ['a model of 1M', [answers('claude-opus-5-5', 150_000)], 15],
      [
        'the 1M variant',
        [announces('claude-sonnet-4-5[1m]'), answers('claude-sonnet-4-5-20250929', 150_000)],
        15,
      ],
      [
        'another model after it',
        [
          announces('claude-sonnet-4-5[1m]'),
          announces('claude-haiku-4-5'),
          answers('claude-haiku-4-5', 150_000),
        ],
        75,
      ],
      [
        'more than 200k, and less again',
        [answers('claude-sonnet-4-5', 300_000), answers('claude-sonnet-4-5', 100_000)],
        10,
      ],
      ['a model that nobody knows', [answers('mock-model', 150_000)], 75],
    ])('%s', async (title, lines, pct) => {
      const id = `window-${title.replaceAll(/\W/g, '-')}`
      writeFileSync(transcriptOf(id), '')
      await hook('UserPromptSubmit', id, { prompt: 'go' })
      await hook('PreToolUse', id, { ...bash, tool_use_id: 't1' })
      const timestamp = new Date().toISOString()
      const text = lines.map((line) => `${JSON.stringify({ ...line, timestamp })}\n`).join('')
      appendFileSync(transcriptOf(id), text)
      const shown = await until(id, ({ usage }) => usage.contextPct === pct, 5000)
      expect(shown.usage.contextPct).toBe(pct)
    })
  })

  test('tells the last figure of several, also where its session ends at once', async () => {
    const answer = (input_tokens: number) => {
      const message = { role: 'assistant', model: 'claude-sonnet-4-5', usage: { input_tokens }, content: [] }
      return `${JSON.stringify({ type: 'assistant', timestamp: new Date().toISOString(), message })}\n`
    }
    for (const id of ['figures', 'figures-end']) {
      writeFileSync(transcriptOf(id), '')
      await hook('UserPromptSubmit', id, { prompt: 'go' })
      await hook('PreToolUse', id, { ...bash, tool_use_id: 't1' })
      appendFileSync(transcriptOf(id), answer(100_000))
      await until(id, ({ usage }) => usage.tokens === 100_000, 5000)
      appendFileSync(transcriptOf(id), answer(101_000) + answer(102_000))
    }
    await hook('SessionEnd', 'figures-end', { reason: 'other' })
    for (const id of ['figures', 'figures-end'])
      expect((await until(id, ({ usage }) => usage.tokens === 102_000, 10_000)).usage).toMatchObject({
        tokens: 102_000,
        contextPct: 51,
      })
  }, 30_000)

  test('a path outside the agent’s own folder, or a link out of it, is not read', async () => {
    const outside = join(home.home ?? '', 'outside.jsonl')
    const line = recorded('i-perm-no/0d06296e-4baf-46ed-bcfb-bc7aa0b76156.jsonl', 'user').at(-1) ?? ''
    symlinkSync(outside, transcriptOf('linked'))
    writeFileSync(outside, '')
    await hook('UserPromptSubmit', 'outside', { prompt: 'go', transcript_path: outside })
    await hook('UserPromptSubmit', 'linked', { prompt: 'go' })
    appendFileSync(
      outside,
      `${line.replace(/"timestamp":"[^"]*"/, `"timestamp":"${new Date().toISOString()}"`)}\n`,
    )
    await Bun.sleep(600)
    expect([(await session('outside')).phase, (await session('linked')).phase]).toEqual([
      'working',
      'working',
    ])
  })
})

describe('an agent in the background that has ended', () => {
  const child = { agent_id: 'a1', agent_type: 'general-purpose' }
  async function endedInBackground(id: string): Promise<void> {
    await hook('UserPromptSubmit', id, { prompt: 'go' })
    await hook('SubagentStart', id, child)
    await hook('Stop', id, { background_tasks: [{ id: 'a1', type: 'agent', status: 'running' }] })
    await hook('SubagentStop', id, child)
  }

  test('is taken up by a turn: until then its session works', async () => {
    await endedInBackground('noticed')
    expect((await session('noticed')).phase).toBe('working')
    await hook('UserPromptSubmit', 'noticed', { prompt: '<task-notification>' })
    await hook('Stop', 'noticed', {})
    expect((await session('noticed')).phase).toBe('idle')
  })

  test('and that nothing follows on leaves its session done', async () => {
    await endedInBackground('unnoticed')
    expect((await session('unnoticed')).phase).toBe('working')
    expect((await until('unnoticed', ({ phase }) => phase === 'idle', 15_000)).phase).toBe('idle')
  }, 20_000)
})

describe('processes', () => {
  test('an agent that was killed has ended within a second', async () => {
    const agent = Bun.spawn(['sleep', '60'])
    await hook('UserPromptSubmit', 'killed', { prompt: 'go' }, { CLAUDE_PID: String(agent.pid) })
    expect((await session('killed')).phase).toBe('working')
    agent.kill('SIGKILL')
    await agent.exited
    expect((await until('killed', ({ phase }) => phase === 'ended', 1000)).phase).toBe('ended')
  })

  test('an agent that runs inside another one knows its parent', async () => {
    const outer = Bun.spawn(['sh', '-c', 'sh -c "sleep 30; true" & echo $!; wait'], { stdout: 'pipe' })
    const { value } = await outer.stdout.getReader().read()
    const inner = new TextDecoder().decode(value).trim()
    await hook('UserPromptSubmit', 'outer', { prompt: 'go' }, { CLAUDE_PID: String(outer.pid) })
    await hook('UserPromptSubmit', 'inner', { prompt: 'go' }, { CLAUDE_PID: inner })
    const shown = await until('inner', ({ parentSessionId }) => parentSessionId !== undefined, 2000)
    expect(shown.parentSessionId).toBe('outer')
    expect((await session('outer')).parentSessionId).toBeUndefined()
    process.kill(Number(inner), 'SIGKILL')
    outer.kill('SIGKILL')
  })

  test('a pid that nobody can see ends nothing', async () => {
    await hook('UserPromptSubmit', 'elsewhere', { prompt: 'go' }, { CLAUDE_PID: '4194300' })
    await Bun.sleep(1500)
    expect((await session('elsewhere')).phase).toBe('working')
  })

  test('a dialog that was answered with yes is no longer waiting once its command runs', async () => {
    const agent = Bun.spawn(['sh', '-c', 'sleep 0.5; sleep 4.217; true'])
    const env = { CLAUDE_PID: String(agent.pid) }
    await hook('UserPromptSubmit', 'yes', { prompt: 'go' }, env)
    await hook('PreToolUse', 'yes', { ...bash, tool_use_id: 't1' }, env)
    await hook('PermissionRequest', 'yes', bash, env)
    expect((await session('yes')).phase).toBe('blocked')
    expect(await until('yes', ({ phase }) => phase === 'working', 2000)).toMatchObject({
      phase: 'working',
      detail: 'Bash',
    })
    agent.kill('SIGKILL')
  })

  test('a child that was there before, or has the command in another word, is no answer', async () => {
    const agent = Bun.spawn(['sh', '-c', 'sleep 4.219 & sh -c "sleep 4.2181 & wait; true"; wait'])
    const env = { CLAUDE_PID: String(agent.pid) }
    const asks = (command: string) => ({ tool_name: 'Bash', tool_input: { command } })
    await hook('UserPromptSubmit', 'before', { prompt: 'go' }, env)
    await Bun.sleep(300) // so that they were there before, also on a clock that counts hundredths
    for (const [n, command] of ['sleep 4.219', 'sleep 4.218'].entries()) {
      await hook('PreToolUse', 'before', { ...asks(command), tool_use_id: `t${n}` }, env)
      await hook('PermissionRequest', 'before', asks(command), env)
    }
    await Bun.sleep(500)
    expect((await session('before')).attention).toHaveLength(2)
    agent.kill('SIGKILL')
  })

  test('of two dialogs, the one whose command runs was answered', async () => {
    const agent = Bun.spawn(['sh', '-c', 'sleep 1; sleep 4.223; true'])
    const env = { CLAUDE_PID: String(agent.pid) }
    const ask = async (agentId: string, command: string) => {
      const call = { tool_name: 'Bash', tool_input: { command }, agent_id: agentId, agent_type: 'worker' }
      await hook('PreToolUse', 'two', { ...call, tool_use_id: `t-${agentId}` }, env)
      await hook('PermissionRequest', 'two', call, env)
    }
    await hook('UserPromptSubmit', 'two', { prompt: 'go' }, env)
    for (const id of ['a', 'b'])
      await hook('SubagentStart', 'two', { agent_id: id, agent_type: 'worker' }, env)
    await ask('a', 'rm -rf /important')
    await ask('b', 'sleep 4.223')
    expect((await session('two')).attention).toHaveLength(2)
    const shown = await until('two', ({ attention }) => attention.length === 1, 5000)
    expect(shown.attention).toHaveLength(1)
    const resolved = await gantryJson(
      home,
      'rpc',
      'events.list',
      '{"session":"two","type":"PermissionResolved"}',
    )
    expect(JSON.stringify(resolved)).toContain('t-b')
    agent.kill('SIGKILL')
  })

  test('of two dialogs for the same command, one that runs answers one', async () => {
    const agent = Bun.spawn(['sh', '-c', 'sleep 1; sh -c "sleep 4.229; true"; true'])
    const env = { CLAUDE_PID: String(agent.pid) }
    const call = { tool_name: 'Bash', tool_input: { command: 'sleep 4.229' } }
    await hook('UserPromptSubmit', 'same', { prompt: 'go' }, env)
    for (const id of ['a', 'b']) {
      const whose = { agent_id: id, agent_type: 'worker' }
      await hook('SubagentStart', 'same', whose, env)
      await hook('PreToolUse', 'same', { ...call, ...whose, tool_use_id: `t-${id}` }, env)
      await hook('PermissionRequest', 'same', { ...call, ...whose }, env)
    }
    expect((await until('same', ({ attention }) => attention.length < 2, 5000)).attention).toMatchObject([
      { agentId: 'b' },
    ])
    await Bun.sleep(500) // both the shell and what it runs have been looked at
    expect((await session('same')).attention).toMatchObject([{ agentId: 'b' }])
    agent.kill('SIGKILL')
  })
})

describe('a daemon that was away', () => {
  const at = makeHome()
  const says = (name: string, id: string, pid: number) =>
    sendFrame(at, {
      payload: JSON.stringify({ hook_event_name: name, session_id: id, prompt: 'go' }),
      header: { env: { CLAUDE_PID: String(pid) } },
    })
  const phase = async (id: string) => ((await gantryJson(at, 'session', id, '--json')) as Shown).phase

  test('knows of an agent that was killed meanwhile, and of one that lives', async () => {
    const [killed, lives] = [Bun.spawn(['sleep', '60']), Bun.spawn(['sleep', '60'])]
    const first = await startDaemon(at)
    await says('UserPromptSubmit', 'killed', killed.pid)
    await says('UserPromptSubmit', 'lives', lives.pid)
    await says('UserPromptSubmit', 'elsewhere', 4_194_300)
    await Bun.sleep(200)
    await first.kill('SIGKILL')
    killed.kill('SIGKILL')
    await killed.exited
    await using _again = await startDaemon(at)
    await eventually(async () => (await phase('killed')) === 'ended', 'the end of the killed one', 20_000)
    expect([await phase('lives'), await phase('elsewhere')]).toEqual(['working', 'working'])
    lives.kill('SIGKILL')
    await eventually(async () => (await phase('lives')) === 'ended', 'the end of the other')
  })
})

describe('the status that Claude keeps of itself', () => {
  const edit = { tool_name: 'Edit', tool_input: { file_path: '/acme/a.ts' } }
  const agents: Subprocess[] = []
  afterAll(() => {
    for (const agent of agents) agent.kill('SIGKILL')
  })

  /** A session that has asked for a permission, and its status file. */
  async function asking(id: string): Promise<(status: string, at?: number) => void> {
    const agent = Bun.spawn(['sleep', '60'])
    agents.push(agent)
    const folder = join(home.home ?? '', '.claude/sessions')
    mkdirSync(folder, { recursive: true })
    const write = (status: string, at = Date.now()) =>
      writeFileSync(
        join(folder, `${agent.pid}.json`),
        JSON.stringify({ kind: 'interactive', sessionId: id, status, statusUpdatedAt: at }),
      )
    const env = { CLAUDE_PID: String(agent.pid) }
    write('busy')
    await hook('UserPromptSubmit', id, { prompt: 'go' }, env)
    await hook('PreToolUse', id, { ...edit, tool_use_id: 't1' }, env)
    await hook('PermissionRequest', id, edit, env)
    expect((await session(id)).phase).toBe('blocked')
    write('waiting')
    await Bun.sleep(50)
    return write
  }

  test('an edit that was allowed is no longer waited for', async () => {
    const write = await asking('allowed')
    expect((await session('allowed')).phase).toBe('blocked')
    write('busy')
    expect((await until('allowed', ({ phase }) => phase === 'working', 1500)).attention).toEqual([])
  })

  test('a turn that was broken off is over', async () => {
    const write = await asking('broken')
    write('idle')
    expect((await until('broken', ({ phase }) => phase === 'idle', 1500)).phase).toBe('idle')
  })

  test('busy with what no hook tells of, a ! command, is working until it is idle', async () => {
    const write = await asking('bang')
    write('idle')
    await until('bang', ({ phase }) => phase === 'idle', 5000)
    write('busy')
    expect((await until('bang', ({ phase }) => phase === 'working', 5000)).phase).toBe('working')
    write('idle')
    expect((await until('bang', ({ phase }) => phase === 'idle', 5000)).phase).toBe('idle')
  })

  test('idle for a moment, between one turn and the next, is not the end of it', async () => {
    const write = await asking('queued')
    write('idle', Date.now() - 60_000)
    write('busy')
    await Bun.sleep(200)
    expect((await session('queued')).phase).not.toBe('idle')
  })
})

describe('tmux', () => {
  test('a pane that was closed has taken its agent with it', async () => {
    const server = join(home.home ?? '', 'tmux.sock')
    const tmux = (...args: string[]) =>
      Bun.spawnSync(['tmux', '-S', server, ...args])
        .stdout.toString()
        .trim()
    tmux('-f', '/dev/null', 'new-session', '-d', 'sleep 60')
    const pane = tmux('split-window', '-P', '-F', '#{pane_id}', 'sleep 60')
    const header = { env: {}, pane, tmux: `${server},1,0` }
    const payload = JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 'paned', prompt: 'go' })
    await sendFrame(home, { payload, header })
    await Bun.sleep(2500)
    expect((await session('paned')).phase).toBe('working')
    tmux('kill-pane', '-t', pane)
    expect((await until('paned', ({ phase }) => phase === 'ended', 4000)).phase).toBe('ended')
    tmux('kill-server')
  }, 15_000)
})
