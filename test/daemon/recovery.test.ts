/**
 * The daemon was away, and nobody wrote down what the hooks said: the transcripts still tell. Real daemons, killed and
 * started again; transcripts that real agents wrote.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newId } from '../../src/events/index.ts'
import {
  FIXTURES,
  frame,
  journal,
  makeHome,
  type RunningDaemon,
  sendFrame,
  startDaemon,
  until,
} from '../kit.ts'
import { sessionIn } from './session-kit.ts'

const TRANSCRIPTS = {
  claude: '.claude/projects/acme',
  codex: '.codex/sessions/2026/11/15',
  gemini: '.gemini/tmp/acme/chats',
}
type AgentName = keyof typeof TRANSCRIPTS

const home = makeHome()
let daemon: RunningDaemon

interface Scene {
  before(): Promise<unknown>
  during(): unknown
}
const scenes: Scene[] = []

/** What one session does, before the daemon is killed and while nobody listens. All of them share one absence. */
function scene(
  agent: AgentName,
  id: string,
  during: Scene['during'],
  before: Scene['before'] = () => heardTurn(agent, id),
): void {
  scenes.push({ before, during })
}

beforeAll(async () => {
  daemon = await startDaemon(home)
})
afterAll(() => daemon.kill('SIGTERM'))

const pathOf = (agent: AgentName, id: string) => join(home.home ?? '', TRANSCRIPTS[agent], `${id}.jsonl`)
const payload = (agent: AgentName, name: string, id: string, fields: object = {}) =>
  JSON.stringify({
    hook_event_name: name,
    session_id: id,
    transcript_path: pathOf(agent, id),
    cwd: '/acme',
    ...fields,
  })
const hook = (agent: AgentName, name: string, id: string, fields: object = {}) =>
  sendFrame(home, { agent, payload: payload(agent, name, id, fields) })
const session = (id: string) => sessionIn(home, id)

const PROMPT = { claude: 'UserPromptSubmit', codex: 'UserPromptSubmit', gemini: 'BeforeAgent' }
const STOP = { claude: 'Stop', codex: 'Stop', gemini: 'AfterAgent' }

/** A session that has had one turn, all of it heard, with a transcript that says the same. */
async function heardTurn(agent: AgentName, id: string): Promise<void> {
  mkdirSync(dirname(pathOf(agent, id)), { recursive: true })
  await hook(agent, 'SessionStart', id, { source: 'startup' })
  writeFileSync(pathOf(agent, id), `${JSON.stringify(asked(agent, 'the first one'))}\n`)
  await hook(agent, PROMPT[agent], id, { prompt: 'the first one' })
  await hook(agent, STOP[agent], id, {})
}

function asked(agent: AgentName, text: string): object {
  const timestamp = new Date().toISOString()
  const item = { type: 'UserMessage', content: [{ type: 'text', text }] }
  return {
    claude: { type: 'user', timestamp, message: { role: 'user', content: text } },
    codex: { type: 'event_msg', timestamp, payload: { type: 'item_completed', item } },
    gemini: { type: 'user', timestamp, content: [{ text }] },
  }[agent]
}

async function away(work: () => unknown): Promise<void> {
  await daemon.kill('SIGKILL')
  await work()
  await until(() => Date.now() > newestLine, 'the last line to be in the past')
  daemon = await startDaemon(home)
}
let newestLine = 0

/** The lines of a recorded transcript as if they were written now, a millisecond apart. */
function recorded(agent: AgentName, folder: string): string[] {
  const dir = join(FIXTURES, agent, folder)
  const [file = ''] = readdirSync(dir).filter((name) => name.endsWith('.jsonl'))
  const times = new Map<string, string>()
  let at = Date.now()
  return readFileSync(join(dir, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) =>
      line.replace(/\b2026-11-15T[\d:.]+Z/g, (time) => {
        const known = times.get(time)
        if (known) return known
        at += 1
        newestLine = Math.max(newestLine, at)
        times.set(time, new Date(at).toISOString())
        return times.get(time) ?? ''
      }),
    )
}

const write = (agent: AgentName, id: string, lines: readonly string[]) =>
  appendFileSync(pathOf(agent, id), `${lines.join('\n')}\n`)

interface Row {
  readonly type: string
  readonly tool: string | null
  readonly raw: string
}

const healed = (id: string) =>
  journal<Row>(
    home,
    `SELECT type, tool_name AS tool, raw FROM events WHERE session_id = '${id}' AND transport = 'healer' ORDER BY seq`,
  )
const told = (id: string) => healed(id).map(({ type, tool }) => (tool === null ? type : `${type} ${tool}`))

/** Daemons look once: when this session was looked at, so were those before it. */
let witnesses = 0
async function looked(work: () => unknown): Promise<void> {
  const id = `witness-${witnesses++}`
  await heardTurn('claude', id)
  await away(async () => {
    await work()
    write('claude', id, recorded('claude', '2.1.325/transcripts/i-perm-no'))
  })
  await until(() => told(id).includes('Interrupt'), 'what was missed')
}

describe('several absences', () => {
  test('a daemon that is killed before it has looked leaves it to the next one', async () => {
    await heardTurn('claude', 'again')
    await away(() => write('claude', 'again', recorded('claude', '2.1.325/transcripts/i-int-idle')))
    await hook('claude', 'Notification', 'again', { notification_type: 'auth_success', message: 'hello' })
    await looked(() => {})
    expect(told('again')).toEqual(['UserPromptSubmit', 'PreToolUse Bash', 'Interrupt'])
  })

  test('found once, it is not found again', async () => {
    const before = told('again')
    await looked(() => {})
    expect(told('again')).toEqual(before)
  })

  test('a hook that is heard before it does not have to wait: what it says stands', async () => {
    await heardTurn('claude', 'first')
    await away(() =>
      write('claude', 'first', recorded('claude', '2.1.325/transcripts/i-int-idle').slice(0, 8)),
    )
    await hook('claude', 'UserPromptSubmit', 'first', { prompt: 'the last one' })
    await hook('claude', 'Stop', 'first', {})
    await until(() => told('first').includes('PreToolUse Bash'), 'what was missed')
    expect(await session('first')).toMatchObject({ phase: 'idle', lastPrompt: 'the last one', openTools: [] })
  })

  test('while the daemon is there, lines without a hook are left alone', async () => {
    await heardTurn('claude', 'live')
    write('claude', 'live', recorded('claude', '2.1.325/transcripts/i-basic'))
    await until(() => statSync(home.lock).mtimeMs > newestLine, 'a sign of life after the last line')
    await looked(() => {})
    expect(told('live')).toEqual([])
  })
})

describe('one absence', () => {
  beforeAll(async () => {
    // What a hook and a line say at about the same time is the same: the first to write is the last that was heard.
    for (const { before } of scenes.toReversed()) await before()
    await looked(async () => {
      for (const { during } of scenes) await during()
    })
  })

  describe('claude', () => {
    const CALLS = ['Bash', 'Write', 'Read', 'Edit', 'Glob', 'Grep', 'TaskCreate', 'TaskUpdate', 'Agent']

    scene('claude', 'whole', () => write('claude', 'whole', recorded('claude', '2.1.325/transcripts/basic')))
    test('a turn that began and ended while nobody listened is in the journal, in order, and marked', async () => {
      const events = told('whole')
      expect(events[0]).toBe('UserPromptSubmit')
      expect(events.filter((one) => one.startsWith('PreToolUse'))).toEqual(
        ['Bash', 'Write', 'Read', 'Edit', 'Glob', 'Grep', 'Bash', 'TaskCreate', 'TaskUpdate', 'Agent'].map(
          (name) => `PreToolUse ${name}`,
        ),
      )
      for (const name of CALLS) expect(events).toContain(`PostToolUse ${name}`)
      expect(events.filter((one) => one.startsWith('PostToolUseFailure'))).toEqual([
        'PostToolUseFailure Bash',
      ])
      expect(events.at(-1)).toBe('Stop')
      for (const { raw } of healed('whole')) expect(JSON.parse(raw).reason).toMatch(/^missed: /)
      const shown = await session('whole')
      expect(shown).toMatchObject({ phase: 'idle', lastPrompt: 'please do things [[s:main]]', openTools: [] })
      const times = journal<{ at: number }>(
        home,
        "SELECT at FROM events WHERE session_id = 'whole' AND transport = 'healer' ORDER BY seq",
      ).map(({ at }) => at)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    })

    scene('claude', 'runs', () => {
      const lines = recorded('claude', '2.1.325/transcripts/i-int-idle')
      const end = lines.findIndex((line) => /tool_result/.test(line))
      write('claude', 'runs', lines.slice(0, end))
    })
    test('a call that still runs: working on it', async () => {
      expect(told('runs')).toEqual(['UserPromptSubmit', 'PreToolUse Bash'])
      expect(await session('runs')).toMatchObject({
        phase: 'working',
        detail: 'Bash',
        lastPrompt: 'run [[s:a]]',
      })
    })

    scene(
      'claude',
      'no',
      () => write('claude', 'no', recorded('claude', '2.1.325/transcripts/i-perm-no')),
      async () => {
        await heardTurn('claude', 'no')
        await hook('claude', 'UserPromptSubmit', 'no', { prompt: 'run [[s:a]]' })
        const call = {
          tool_name: 'Bash',
          tool_input: { command: 'touch perm1; echo done', description: 'x' },
        }
        await hook('claude', 'PreToolUse', 'no', { ...call, tool_use_id: 'toolu_01myazi3p52abbseeiuug1t' })
        await hook('claude', 'PermissionRequest', 'no', call)
      },
    )
    test('what began before, and was rejected while nobody listened, is over', async () => {
      expect(told('no')).toEqual(['Interrupt'])
      expect(await session('no')).toMatchObject({ phase: 'idle', attention: [] })
    })

    scene('claude', 'spooled', () => {
      const put = (name: string, fields: object, at: number) => {
        const id = newId(at * 1000)
        const bytes = frame({ id, at, payload: payload('claude', name, 'spooled', fields) })
        writeFileSync(join(home.spool, `${id}.frame`), bytes)
      }
      const lines = recorded('claude', '2.1.325/transcripts/basic')
      for (const line of lines) {
        const { timestamp, message } = JSON.parse(line)
        const at = Date.parse(timestamp)
        if (typeof message?.content === 'string') put('UserPromptSubmit', { prompt: message.content }, at)
        for (const part of Array.isArray(message?.content) ? message.content : []) {
          const call = { tool_name: part.name, tool_input: part.input, tool_use_id: part.id }
          if (part.type === 'tool_use' && part.name !== 'TodoWrite') put('PreToolUse', call, at)
          if (part.type === 'tool_result') put('PostToolUse', { tool_use_id: part.tool_use_id }, at)
          if (part.text === 'All finished.' || part.text === 'done') put('Stop', {}, at)
        }
      }
      write('claude', 'spooled', lines)
    })
    test('a frame in the spool is the event itself: nothing is doubled', async () => {
      expect(told('spooled')).toEqual([])
      expect(await session('spooled')).toMatchObject({ phase: 'idle', openTools: [] })
    })

    scene('claude', 'partly', () => {
      const lines = recorded('claude', '2.1.325/transcripts/i-int-idle')
      const typed = lines.find((line) => line.includes('"typed"')) ?? ''
      const at = Date.parse(JSON.parse(typed).timestamp)
      const bytes = frame({
        at,
        payload: payload('claude', 'UserPromptSubmit', 'partly', { prompt: 'run [[s:a]]' }),
      })
      writeFileSync(join(home.spool, `${newId()}.frame`), bytes)
      write('claude', 'partly', lines)
    })
    test('of what only partly reached the spool, the rest is found', async () => {
      expect(told('partly')).toEqual(['PreToolUse Bash', 'Interrupt'])
      expect((await session('partly')).phase).toBe('idle')
    })

    scene('claude', 'slash', () =>
      write('claude', 'slash', recorded('claude', '2.1.325/transcripts/compact').slice(7)),
    )
    test('a command of Claude Code itself is no prompt', async () => {
      expect(told('slash')).toEqual(['UserPromptSubmit', 'Stop'])
      expect(await session('slash')).toMatchObject({
        lastPrompt: 'go on [[s:two]]',
        lastMessage: 'after compact',
        phase: 'idle',
      })
    })

    scene('claude', 'long', () => {
      const call = (index: number) =>
        JSON.stringify({
          type: 'assistant',
          timestamp: new Date().toISOString(),
          message: { content: [{ type: 'tool_use', id: `t${index}`, name: 'Read', input: { index } }] },
        })
      write(
        'claude',
        'long',
        Array.from({ length: 3000 }, (_, index) => call(index)),
      )
    })
    test('of a long absence, the last two hundred lines that matter are looked at', () => {
      expect(told('long')).toHaveLength(200)
      expect(JSON.parse(healed('long').at(-1)?.raw ?? '').tool_use_id).toBe('t2999')
    })

    scene(
      'claude',
      'over',
      () => write('claude', 'over', recorded('claude', '2.1.325/transcripts/i-int-idle')),
      async () => {
        await heardTurn('claude', 'over')
        await hook('claude', 'SessionEnd', 'over', { reason: 'other' })
      },
    )
    test('a session that has ended stays as it was', async () => {
      expect(told('over')).toEqual([])
      expect((await session('over')).phase).toBe('ended')
    })
  })

  describe('codex', () => {
    scene('codex', 'codex-whole', () =>
      write('codex', 'codex-whole', recorded('codex', '0.166.0/transcripts/basic')),
    )
    test('a turn that nobody heard', async () => {
      expect(told('codex-whole')).toEqual(['UserPromptSubmit', 'PreToolUse Bash', 'PostToolUse Bash', 'Stop'])
      expect(await session('codex-whole')).toMatchObject({
        phase: 'idle',
        lastPrompt: 'do the thing',
        lastMessage: 'finished.',
      })
    })
  })

  describe('gemini', () => {
    scene('gemini', 'gemini-whole', () =>
      write('gemini', 'gemini-whole', recorded('gemini', '0.61.0/transcripts/basic')),
    )
    test('a turn that nobody heard; an answer after which nothing comes ends it', async () => {
      const events = told('gemini-whole')
      expect(events[0]).toBe('UserPromptSubmit')
      expect(events.slice(1).toSorted()).toEqual(
        [
          ...['read_file', 'write_file', 'run_shell_command', 'replace'].flatMap((name) => [
            `PreToolUse ${name}`,
            `PostToolUse ${name}`,
          ]),
          'PreToolUse read_file',
          'PostToolUseFailure read_file',
        ].toSorted(),
      )
      expect(await session('gemini-whole')).toMatchObject({ phase: 'working', openTools: [] })
      await until(() => told('gemini-whole').includes('Stop'), 'the end of the turn')
      expect(await session('gemini-whole')).toMatchObject({ phase: 'idle', lastMessage: 'All finished.' })
    }, 60_000)

    const id = 'gemini-esc'
    const chat = () => recorded('gemini', '0.61.0/transcripts/cancelled-dialog')
    const lines = chat()
    const cancelled = lines.findIndex((line) => line.includes('"status":"cancelled"'))
    const call = { tool_name: 'run_shell_command', tool_input: { command: './ask.sh 2' } }
    scene(
      'gemini',
      id,
      () => write('gemini', id, chat().slice(cancelled)),
      async () => {
        mkdirSync(dirname(pathOf('gemini', id)), { recursive: true })
        writeFileSync(pathOf('gemini', id), '')
        await hook('gemini', 'SessionStart', id, { source: 'startup' })
        const listed = { tool_name: 'list_directory', tool_input: { dir_path: '.' } }
        for (const script of ['one', 'two']) {
          await hook('gemini', 'BeforeAgent', id, { prompt: `please [[s:${script}]]` })
          await hook('gemini', 'BeforeTool', id, listed)
          await hook('gemini', 'AfterTool', id, { ...listed, tool_response: { llmContent: 'ok' } })
          await hook('gemini', 'AfterAgent', id)
        }
        await hook('gemini', 'BeforeAgent', id, { prompt: 'please [[s:dlg]]' })
        await hook('gemini', 'BeforeTool', id, call)
        const details = { type: 'exec', title: 'Confirm Shell Command', command: './ask.sh 2' }
        await hook('gemini', 'Notification', id, { notification_type: 'ToolPermission', details })
        write('gemini', id, lines.slice(0, cancelled))
        expect((await session(id)).phase).toBe('blocked')
      },
    )
    test('a dialog that was cancelled while nobody listened: no old prompt comes back', async () => {
      expect(told(id)).toEqual(['Interrupt'])
      expect(await session(id)).toMatchObject({
        phase: 'idle',
        attention: [],
        lastPrompt: 'please [[s:dlg]]',
      })
    })
  })
})
