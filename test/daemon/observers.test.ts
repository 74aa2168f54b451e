/** What agents do not say: Esc, a rejected dialog, a dialog that was answered, kill -9. Real files, real processes. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUIDv7, type Subprocess } from 'bun'
import { call } from '../../src/client/index.ts'
import { childrenOf, uptimeS } from '../../src/core/processes/proc.ts'
import {
  FIXTURES,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  sendFrames,
  startDaemon,
  until,
} from '../kit.ts'
import { killedAgent, phaseIn, sessionIn, sessionWhen } from './session-kit.ts'

const home = makeHome()
const projects = join(home.home ?? '', '.claude/projects/acme')
let daemon: RunningDaemon

beforeAll(async () => {
  mkdirSync(projects, { recursive: true })
  daemon = await startDaemon(home)
})
afterAll(() => daemon.kill('SIGTERM'))

const said = (name: string, session: string, fields: object = {}, env: Record<string, string> = {}) => ({
  payload: JSON.stringify({
    hook_event_name: name,
    session_id: session,
    transcript_path: transcriptOf(session),
    ...fields,
  }),
  header: { env },
})
const hook = (...words: Parameters<typeof said>) => sendFrame(home, said(...words))
const transcriptOf = (session: string) => join(projects, `${session}.jsonl`)
const session = (id: string) => sessionIn(home, id)
const phaseIs = (id: string, phase: Parameters<typeof phaseIn>[2]) => phaseIn(home, id, phase)
const events = (id: string, type: string) => call(home, 'events.list', { session: id, type })
const bash = { tool_name: 'Bash', tool_input: { command: 'sleep 60.217' } }

/** The lines of a recorded transcript, as if they were written now. */
function recorded(file: string, type: string): string[] {
  return readFileSync(join(FIXTURES, 'claude/2.1.325/transcripts', file), 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"type": "${type}"`) || line.includes(`"type":"${type}"`))
    .map((line) => JSON.stringify({ ...JSON.parse(line), timestamp: new Date().toISOString() }))
}

/**
 * Another session's turn is over by its transcript alone, for which a hook gets the time to say so first: whatever a
 * transcript said before has been told by then. With a session, its transcript has been read as well.
 */
async function allIsTold(id?: string): Promise<void> {
  const timestamp = new Date().toISOString()
  const title = { type: 'custom-title', customTitle: 'read', timestamp }
  if (id !== undefined) {
    appendFileSync(transcriptOf(id), `${JSON.stringify(title)}\n`)
    await sessionWhen(home, id, (shown) => shown.title === 'read')
  }
  const after = `after-${randomUUIDv7()}`
  writeFileSync(transcriptOf(after), '')
  await hook('UserPromptSubmit', after, { prompt: 'go' })
  const line = { type: 'system', subtype: 'turn_duration', timestamp: new Date().toISOString() }
  appendFileSync(transcriptOf(after), `${JSON.stringify(line)}\n`)
  await phaseIs(after, 'idle')
}

describe.concurrent('the transcript', () => {
  test('a rejected dialog, which no hook tells of, ends in idle', async () => {
    writeFileSync(transcriptOf('esc'), '')
    await hook('UserPromptSubmit', 'esc', { prompt: 'go' })
    await hook('PreToolUse', 'esc', { ...bash, tool_use_id: 't1' })
    await hook('PermissionRequest', 'esc', bash)
    expect((await session('esc')).phase).toBe('blocked')
    const lines = recorded('i-perm-no/0d06296e-4baf-46ed-bcfb-bc7aa0b76156.jsonl', 'user').slice(1)
    appendFileSync(transcriptOf('esc'), `${lines.join('\n')}\n`)
    expect((await phaseIs('esc', 'idle')).attention).toEqual([])
    expect(await events('esc', 'Interrupt')).toMatchObject([
      { transport: 'healer', reason: expect.stringContaining('interrupted by user') },
    ])
  })

  describe('of Gemini, whose hooks end a failed turn like any other', () => {
    const chats = join(home.home ?? '', '.gemini/tmp/acme/chats')
    const said = '[API Error: no such model (Status: INVALID_ARGUMENT)]'
    const gemini = (name: string, id: string, at: number) =>
      sendFrame(home, {
        agent: 'gemini',
        at,
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
      const began = Date.now() - 100
      await gemini('BeforeAgent', id, began)
      if (first === 'the error first') fail(id, began + 20)
      await gemini('AfterAgent', id, began + 50)
      if (first === 'its hook first') fail(id, began + 20)
      expect(await sessionWhen(home, id, ({ attention }) => attention.length > 0)).toMatchObject({
        phase: 'idle',
        attention: [{ kind: 'error', reason: 'invalid_request' }],
        error: { kind: 'invalid_request', message: said },
      })
      await gemini('BeforeAgent', id, Date.now())
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
    appendFileSync(transcriptOf('apart'), `${JSON.stringify(line)}\n`)
    await allIsTold('apart')
    expect(await session('apart')).toMatchObject({
      phase: 'blocked',
      background: [{ id: 'a1' }],
      attention: [{ agentId: 'a1', reason: 'Permission for Bash' }],
    })
    expect(await events('apart', 'Stop')).toMatchObject([{ transport: 'socket' }])
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
    expect((await phaseIs('lead', 'working')).lastPrompt).toBe('go')
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
    await allIsTold('old')
    expect((await session('old')).phase).toBe('working')
  })

  test('tells what the context holds', async () => {
    writeFileSync(transcriptOf('use'), '')
    await hook('UserPromptSubmit', 'use', { prompt: 'go' })
    await hook('PreToolUse', 'use', { ...bash, tool_use_id: 't1' })
    const line = recorded('basic/c4f3ad2a-d89e-4889-830b-e7c835403de8.jsonl', 'assistant')[0] ?? ''
    appendFileSync(transcriptOf('use'), `${line}\n`)
    const { usage } = await sessionWhen(home, 'use', (shown) => shown.usage.tokens !== undefined)
    expect(usage.tokens).toBe(125)
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
      await sessionWhen(home, id, ({ usage }) => usage.contextPct === pct, `${pct} %`)
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
      await sessionWhen(home, id, ({ usage }) => usage.tokens === 100_000)
      appendFileSync(transcriptOf(id), answer(101_000) + answer(102_000))
    }
    await hook('SessionEnd', 'figures-end', { reason: 'other' })
    for (const id of ['figures', 'figures-end'])
      expect((await sessionWhen(home, id, ({ usage }) => usage.tokens === 102_000)).usage.contextPct).toBe(51)
  })

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
    await allIsTold()
    expect([(await session('outside')).phase, (await session('linked')).phase]).toEqual([
      'working',
      'working',
    ])
  })
})

describe.concurrent('an agent in the background that has ended', () => {
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
    await phaseIs('unnoticed', 'idle')
  })
})

describe.concurrent('processes', () => {
  /** A shell that runs this once it is told to. */
  function idleAgent(line: string) {
    const agent = Bun.spawn(['sh', '-c', `read go; ${line}; true`], { stdin: 'pipe', detached: true })
    const go = () => {
      agent.stdin.write('go\n')
      agent.stdin.end()
    }
    return { go, env: { CLAUDE_PID: String(agent.pid) }, kill: () => process.kill(-agent.pid, 'SIGKILL') }
  }

  /** A dialog that is answered by its command: by then the children of all agents that ask have been looked at. */
  async function answeredDialog(id: string, command: string): Promise<void> {
    const { go, env, kill } = idleAgent(command)
    const call = { tool_name: 'Bash', tool_input: { command } }
    await hook('UserPromptSubmit', id, { prompt: 'go' }, env)
    await hook('PreToolUse', id, { ...call, tool_use_id: 't1' }, env)
    await hook('PermissionRequest', id, call, env)
    expect((await session(id)).phase).toBe('blocked')
    go()
    expect((await phaseIs(id, 'working')).detail).toBe('Bash')
    kill()
  }

  test('an agent that was killed has ended', async () => {
    const agent = Bun.spawn(['sleep', '60'])
    await hook('UserPromptSubmit', 'killed', { prompt: 'go' }, { CLAUDE_PID: String(agent.pid) })
    expect((await session('killed')).phase).toBe('working')
    agent.kill('SIGKILL')
    await agent.exited
    await phaseIs('killed', 'ended')
  })

  test('an agent that runs inside another one knows its parent', async () => {
    const outer = Bun.spawn(['sh', '-c', 'sh -c "sleep 30; true" & echo $!; wait'], { stdout: 'pipe' })
    const { value } = await outer.stdout.getReader().read()
    const inner = new TextDecoder().decode(value).trim()
    await hook('UserPromptSubmit', 'outer', { prompt: 'go' }, { CLAUDE_PID: String(outer.pid) })
    await hook('UserPromptSubmit', 'inner', { prompt: 'go' }, { CLAUDE_PID: inner })
    const shown = await sessionWhen(home, 'inner', ({ parentSessionId }) => parentSessionId !== undefined)
    expect(shown.parentSessionId).toBe('outer')
    expect((await session('outer')).parentSessionId).toBeUndefined()
    process.kill(Number(inner), 'SIGKILL')
    outer.kill('SIGKILL')
  })

  test('a pid that nobody can see ends nothing', async () => {
    await hook('UserPromptSubmit', 'elsewhere', { prompt: 'go' }, { CLAUDE_PID: '4194300' })
    await killedAgent(home)
    expect((await session('elsewhere')).phase).toBe('working')
  })

  test('a dialog that was answered with yes is no longer waiting once its command runs', () =>
    answeredDialog('yes', 'sleep 60.217'))

  test('a child that was there before, or has the command in another word, is no answer', async () => {
    const line = 'sleep 60.219 & sh -c "sleep 60.2181 & wait; true"; wait'
    const agent = Bun.spawn(['sh', '-c', line], { detached: true })
    const env = { CLAUDE_PID: String(agent.pid) }
    const asks = (command: string) => ({ tool_name: 'Bash', tool_input: { command } })
    await hook('UserPromptSubmit', 'before', { prompt: 'go' }, env)
    await until(() => childrenOf(agent.pid).flatMap((child) => childrenOf(child)).length > 0, 'both commands')
    const there = uptimeS()
    await until(() => uptimeS() > there + 0.2, 'a clock that counts hundredths')
    for (const [n, command] of ['sleep 60.219', 'sleep 60.218'].entries()) {
      await hook('PreToolUse', 'before', { ...asks(command), tool_use_id: `t${n}` }, env)
      await hook('PermissionRequest', 'before', asks(command), env)
    }
    await answeredDialog('after', 'sleep 60.2171')
    expect((await session('before')).attention).toHaveLength(2)
    process.kill(-agent.pid, 'SIGKILL')
  })

  test('of two dialogs, the one whose command runs was answered', async () => {
    const { go, env, kill } = idleAgent('sleep 60.223')
    const ask = async (agentId: string, command: string) => {
      const call = { tool_name: 'Bash', tool_input: { command }, agent_id: agentId, agent_type: 'worker' }
      await hook('PreToolUse', 'two', { ...call, tool_use_id: `t-${agentId}` }, env)
      await hook('PermissionRequest', 'two', call, env)
    }
    await hook('UserPromptSubmit', 'two', { prompt: 'go' }, env)
    for (const id of ['a', 'b'])
      await hook('SubagentStart', 'two', { agent_id: id, agent_type: 'worker' }, env)
    await ask('a', 'rm -rf /important')
    await ask('b', 'sleep 60.223')
    expect((await session('two')).attention).toHaveLength(2)
    go()
    await sessionWhen(home, 'two', ({ attention }) => attention.length === 1)
    expect(JSON.stringify(await events('two', 'PermissionResolved'))).toContain('t-b')
    kill()
  })

  test('of two dialogs that share a commit, the command of the one that is open is looked for', async () => {
    const { go, env, kill } = idleAgent('sleep 60.227')
    const began = Date.now() - 1_000
    const over = { tool_name: 'Bash', tool_input: { command: 'true' }, tool_use_id: 't1' }
    const open = { tool_name: 'Bash', tool_input: { command: 'sleep 60.227' }, tool_use_id: 't2' }
    const hooks = [
      said('UserPromptSubmit', 'shared', { prompt: 'go' }, env),
      ...['PreToolUse', 'PermissionRequest', 'PostToolUse'].map((name) => said(name, 'shared', over, env)),
      ...['PreToolUse', 'PermissionRequest'].map((name) => said(name, 'shared', open, env)),
    ]
    await sendFrames(
      home,
      hooks.map((one, n) => ({ ...one, at: began + n })),
    )
    expect((await session('shared')).phase).toBe('blocked')
    go()
    await phaseIs('shared', 'working')
    kill()
  })

  test('of two dialogs for the same command, one that runs answers one', async () => {
    const { go, env, kill } = idleAgent('sh -c "sleep 60.229; true"')
    const call = { tool_name: 'Bash', tool_input: { command: 'sleep 60.229' } }
    await hook('UserPromptSubmit', 'same', { prompt: 'go' }, env)
    for (const id of ['a', 'b']) {
      const whose = { agent_id: id, agent_type: 'worker' }
      await hook('SubagentStart', 'same', whose, env)
      await hook('PreToolUse', 'same', { ...call, ...whose, tool_use_id: `t-${id}` }, env)
      await hook('PermissionRequest', 'same', { ...call, ...whose }, env)
    }
    go()
    await sessionWhen(home, 'same', ({ attention }) => attention.length < 2)
    await answeredDialog('same-again', 'sleep 60.2291') // both the shell and what it runs have been looked at
    expect((await session('same')).attention).toHaveLength(1)
    kill()
  })
})

describe.concurrent('a daemon that was away', () => {
  const at = makeHome()
  const says = (name: string, id: string, pid: number) =>
    sendFrame(at, {
      payload: JSON.stringify({ hook_event_name: name, session_id: id, prompt: 'go' }),
      header: { env: { CLAUDE_PID: String(pid) } },
    })
  const phase = async (id: string) => (await sessionIn(at, id)).phase

  test('knows of an agent that was killed meanwhile, and of one that lives', async () => {
    const [killed, lives] = [Bun.spawn(['sleep', '60']), Bun.spawn(['sleep', '60'])]
    const first = await startDaemon(at)
    await says('UserPromptSubmit', 'killed', killed.pid)
    await says('UserPromptSubmit', 'lives', lives.pid)
    await says('UserPromptSubmit', 'elsewhere', 4_194_300)
    await until(
      () => journal(at, 'SELECT * FROM processes').length === 2,
      'both processes to be written down',
    )
    await first.kill('SIGKILL')
    killed.kill('SIGKILL')
    await killed.exited
    await using _again = await startDaemon(at)
    await phaseIn(at, 'killed', 'ended')
    expect([await phase('lives'), await phase('elsewhere')]).toEqual(['working', 'working'])
    lives.kill('SIGKILL')
    await phaseIn(at, 'lives', 'ended')
  })
})

describe.concurrent('the status that Claude keeps of itself', () => {
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
    return write
  }

  /** The session waits for an answer, and the daemon has seen so: it has since seen the status of another one. */
  async function waiting(id: string): Promise<(status: string, at?: number) => void> {
    const write = await asking(id)
    write('waiting')
    await seen(`${id}-seen`)
    return write
  }

  async function seen(id: string): Promise<void> {
    const write = await asking(id)
    write('idle')
    await phaseIs(id, 'idle')
  }

  test('an edit that was allowed is no longer waited for', async () => {
    const write = await waiting('allowed')
    expect((await session('allowed')).phase).toBe('blocked')
    write('busy')
    expect((await phaseIs('allowed', 'working')).attention).toEqual([])
  })

  test('a turn that was broken off is over', async () => {
    const write = await waiting('broken')
    write('idle')
    await phaseIs('broken', 'idle')
  })

  test('busy with what no hook tells of, a ! command, is working until it is idle', async () => {
    const write = await waiting('bang')
    for (const [status, phase] of [
      ['idle', 'idle'],
      ['busy', 'working'],
      ['idle', 'idle'],
    ] as const) {
      write(status)
      await phaseIs('bang', phase)
    }
  })

  test('idle for a moment, between one turn and the next, is not the end of it', async () => {
    const write = await waiting('queued')
    write('idle', Date.now() - 60_000)
    write('busy')
    await seen('queued-after')
    expect((await session('queued')).phase).not.toBe('idle')
  })
})

describe.concurrent('tmux', () => {
  test('a pane that was closed has taken its agent with it', async () => {
    const server = join(home.home ?? '', 'tmux.sock')
    const tmux = (...args: string[]) =>
      Bun.spawnSync(['tmux', '-S', server, ...args])
        .stdout.toString()
        .trim()
    tmux('-f', '/dev/null', 'new-session', '-d', 'sleep 60')
    const paned = async (id: string) => {
      const pane = tmux('split-window', '-P', '-F', '#{pane_id}', 'sleep 60')
      const payload = JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: id, prompt: 'go' })
      await sendFrame(home, { payload, header: { env: {}, pane, tmux: `${server},1,0` } })
      return pane
    }
    const panes = { stays: await paned('stays'), goes: await paned('goes') }
    tmux('kill-pane', '-t', panes.goes)
    await phaseIs('goes', 'ended')
    expect((await session('stays')).phase).toBe('working')
    tmux('kill-pane', '-t', panes.stays)
    await phaseIs('stays', 'ended')
    tmux('kill-server')
  })
})
