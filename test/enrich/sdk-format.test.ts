/** Lines as claude-hooks-sdk logs them: the two jq commands of its documentation work on them, run by jq itself. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { envFor, GANTRY, gantry, makeHome, run, sendFrame, startDaemon, tempDir, until } from '../kit.ts'
import { hook, linesOf, play, type SdkLine, sdkLines } from './kit.ts'

const SUBAGENTS = 'claude/2.1.325/subagent-sync.jsonl'

/** As it stands in the documentation, with a file instead of `events.jsonl`. */
async function jq(at: Places, filter: string, file: string): Promise<SdkLine[]> {
  const { exit, stdout, stderr } = await run(['sh', '-c', `cat '${file}' | jq -c '${filter}'`], at)
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  return linesOf(stdout)
}

describe('gantry events --format sdk', () => {
  const at = makeHome()
  beforeAll(async () => void (await startDaemon(at)))

  // The first one: it looks at all that came.
  test('the form is that of the SDK, and the ids are always the same', async () => {
    await hook(at, 'UserPromptSubmit', { prompt: 'go', prompt_id: 'p1', cwd: '/w' })
    await hook(
      at,
      'PreToolUse',
      { tool_name: 'Bash', tool_input: { command: 'ls' } },
      {
        env: { CLAUDE_PROJECT_DIR: '/w/project' },
      },
    )
    const lines = await sdkLines(at)
    expect(lines.map(({ input }) => input.hook.hook_event_name)).toEqual(['UserPromptSubmit', 'PreToolUse'])
    for (const { input, output } of lines) {
      expect(Object.keys(input)).toEqual(['hook', 'conversation', 'context', 'timestamp'])
      expect(output).toBeNull()
      expect(input.context).toMatchObject({ promptId: 'p1', conversationId: 's1' })
      expect(input.context.transactionId).toMatch(/^tx_\d{13}_[0-9a-z]{9}$/)
      expect(input.context.parentSessionId).toBeUndefined()
    }
    expect(lines.map(({ input }) => input.context.project_dir)).toEqual(['/w', '/w/project'])
    expect(new Set(lines.map(({ input }) => input.context.transactionId)).size).toBe(2)
    expect(await sdkLines(at)).toEqual(lines)
  })

  test('-n counts hooks: what gantry says itself takes no place of theirs', async () => {
    for (let i = 0; i < 3; i++) await hook(at, 'UserPromptSubmit', { prompt: `${i}` })
    for (let i = 0; i < 5; i++) await call(at, 'sessions.rename', { session: 's1', name: `n${i}` })
    const own = await gantry(at, 'events', '--agent', 'gantry', '--json')
    expect(linesOf(own.stdout).length).toBeGreaterThanOrEqual(5)
    const prompts = async (...more: string[]) => {
      const { stdout } = await gantry(at, 'events', '--format', 'sdk', ...more)
      return linesOf(stdout).map(({ input }) => input.hook.prompt)
    }
    expect(await prompts('-n', '1')).toEqual(['2'])
    expect(await prompts('-n', '2')).toEqual(['1', '2'])
    expect(await prompts('-n', '1', '--agent', 'gantry')).toHaveLength(1)
  })

  test('what is no JSON, no text, or pretty is still one line of JSON each', async () => {
    const payloads = [
      'not json',
      Buffer.from([0xff, 0xfe]),
      '{\n  "hook_event_name": "Stop",\n  "session_id": "s1"\n}\n',
      '"text"',
    ]
    for (const payload of payloads) await sendFrame(at, { event: 'Stop', payload })
    const hooks = (await sdkLines(at)).slice(-payloads.length).map(({ input }) => input.hook)
    expect(hooks).toEqual([
      { gantry_raw: 'not json' },
      { gantry_raw_base64: '//4=' },
      { hook_event_name: 'Stop', session_id: 's1' },
      { gantry_raw: '"text"' },
    ])
  })

  test('a parent’s sub-agents and one sub-agent’s events are found by the documented commands', async () => {
    await play(at, SUBAGENTS)
    await hook(at, 'Stop', { session_id: 'another' })
    const file = join(tempDir(), 'events.jsonl')
    const { stdout } = await gantry(at, 'events', '--format', 'sdk', '-n', '1000')
    writeFileSync(file, stdout)
    const all = linesOf(stdout)
    const stop = all.find(({ gantry }) => gantry.type === 'SubagentStop')
    const { parentSessionId: parent = '', agentId = '' } = stop?.input.context ?? {}
    expect(parent).toBe(String(stop?.input.hook.session_id))
    expect(agentId).toBe(String(stop?.input.hook.agent_id))

    const ofParent = await jq(at, `select(.input.context.parentSessionId == "${parent}")`, file)
    const ofAgent = await jq(at, `select(.input.context.agentId == "${agentId}")`, file)
    const expected = all.filter(({ input }) => input.hook.agent_id === agentId)
    expect(ofParent.map(({ gantry }) => gantry.type)).toContain('SubagentStop')
    expect(ofParent).toEqual(expected)
    expect(ofAgent).toEqual(expected)
    expect(expected.length).toBeLessThan(all.length - 1)
  })

  test('--follow prints events as they come, with their contexts', async () => {
    const at = makeHome()
    await using _daemon = await startDaemon(at)
    const child = Bun.spawn([GANTRY, 'events', '--format', 'sdk', '--follow'], {
      env: envFor(at),
      stdout: 'pipe',
      stderr: 'ignore',
    })
    try {
      const reader = child.stdout.getReader()
      let text = ''
      const reading = (async () => {
        while (text.split('\n').length <= 3) {
          const { value } = await reader.read()
          if (!value) return
          text += Buffer.from(value).toString()
        }
      })()
      await hook(at, 'UserPromptSubmit', { prompt: 'go', prompt_id: 'p1' })
      await until(() => text.includes('p1'), 'the first line')
      await hook(at, 'SubagentStart', { agent_id: 'a1' })
      await hook(at, 'SubagentStop', { agent_id: 'a1' })
      await reading
      expect(linesOf(text).map(({ input }) => input.context.agentId)).toEqual([undefined, 'a1', 'a1'])
    } finally {
      child.kill('SIGKILL')
      await child.exited
    }
  })

  test('another form is a mistake that names the forms', async () => {
    const at = makeHome()
    const { exit, stderr } = await gantry(at, 'events', '--format', 'xml')
    expect(exit).toBe(2)
    expect(stderr).toContain('text, json, sdk')
  })
})

describe('the SDK log', () => {
  const config = '[sdk_log]\nenabled = true\n'

  test('has every hook once, in order, with its context, also after kill -9 in the middle of a line', async () => {
    const at = makeHome(config)
    const file = join(at.state, 'sdk-events.jsonl')
    const lines = () => {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
      return linesOf(text.slice(0, text.lastIndexOf('\n') + 1)) // whole ones
    }
    const daemon = await startDaemon(at)
    for (let n = 0; n < 30; n++) await hook(at, 'Notification', { message: `m${n}` })
    await until(() => lines().length === 30, '30 lines')
    await daemon.kill('SIGKILL')
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"input":{"hook":{"mess`)
    await using _again = await startDaemon(at)
    for (let n = 30; n < 40; n++) await hook(at, 'Notification', { message: `m${n}` })
    await until(() => lines().length >= 40, '40 lines')
    expect(lines().map(({ input }) => input.hook.message)).toEqual(
      Array.from({ length: 40 }, (_, n) => `m${n}`),
    )
    expect(lines()[0]?.input.context).toMatchObject({ conversationId: 's1' })
    expect(readFileSync(file, 'utf8')).toEndWith('}\n')
    const { mode } = await Bun.file(file).stat()
    expect(mode & 0o777).toBe(0o600)
  })

  test('is rotated by size, and keeps as many as it is told', async () => {
    const at = makeHome(`${config}max_mb = 0.02\nkeep = 2\npath = "logs.jsonl"\n`)
    await using _daemon = await startDaemon(at)
    for (let n = 0; n < 60; n++) await hook(at, 'Notification', { message: `m${n} ${'x'.repeat(1000)}` })
    const read = (suffix: string) => {
      try {
        return linesOf(readFileSync(join(at.state, `logs.jsonl${suffix}`), 'utf8'))
      } catch {
        return []
      }
    }
    const last = () => read('').at(-1)?.input.hook.message
    await until(() => String(last()).startsWith('m59'), 'the last line')
    const numberIn = ({ input }: SdkLine) => Number(/^m(\d+)/.exec(String(input.hook.message))?.[1])
    const kept = [...read('.2'), ...read('.1'), ...read('')].map(numberIn)
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, n) => 60 - kept.length + n))
    expect(kept.length).toBeLessThan(60)
    expect(read('.1').length).toBeGreaterThan(5)
    expect(read('.3')).toEqual([])
  })

  test('that cannot be written harms nobody, and doctor says so', async () => {
    const at = makeHome(`${config}path = "no/such/folder/x.jsonl"\n`)
    await using _daemon = await startDaemon(at)
    expect(await hook(at, 'Stop')).toMatchObject({ exit: 0 })
    await until(
      async () => JSON.stringify(await call(at, 'doctor')).includes('sdk_log'),
      'a finding about the log',
    )
  })
})
