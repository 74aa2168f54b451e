/** Rules through the real clients and a real daemon: what is long, what is cut, and what is hard to match. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from '../../src/client/index.ts'
import { PAYLOAD_LIMIT_BYTES } from '../../src/client/wire.ts'
import type { Places } from '../../src/core/files/paths.ts'
import {
  exchange,
  frame,
  GANTRY,
  HOOK,
  makeHome,
  parseReply,
  type Ran,
  type RunningDaemon,
  run,
  startDaemon,
  until,
} from '../kit.ts'
import { isLong } from '../long.ts'

setDefaultTimeout(120_000) // two clients, eight megabytes, a busy machine

const CLIENTS = [
  ['native', [HOOK]],
  ['typescript', [GANTRY, 'hook']],
] as const

const RULES = `
rules:
  - { id: no-rm, on: PreToolUse, tool: '/^(Bash|run_shell_command|bash)$/', match: { tool.input.command: 'rm -rf /' }, decision: deny, reason: never }
  - { id: slow, on: PreToolUse, match: { tool.input.command: '.*.*.*=.*' }, decision: deny, reason: slow }
  - { id: slower, on: PreToolUse, match: { tool.input.command: '([a-z]+)+[!?]$' }, decision: deny, reason: slower }
  - { id: closed, on: UserPromptSubmit, agent: claude, match: { prompt: secret }, decision: deny, onUnknown: deny, reason: secrets }
  - { id: open, on: Stop, match: { message: x }, decision: ask, onUnknown: pass }
`

/** What each agent sends before it runs a command, and how it is refused and asked in its words. */
const AGENTS = {
  claude: {
    event: 'PreToolUse',
    payload: (command: string) => ({
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: 't1',
    }),
    deny: '"permissionDecision":"deny"',
    ask: '"permissionDecision":"ask"',
  },
  codex: {
    event: 'PreToolUse',
    payload: (command: string) => ({
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
    }),
    deny: '"permissionDecision":"deny"',
    ask: '(Codex cannot ask here, so it was denied.)',
  },
  gemini: {
    event: 'BeforeTool',
    payload: (command: string) => ({
      session_id: 's1',
      hook_event_name: 'BeforeTool',
      tool_name: 'run_shell_command',
      tool_input: { command },
    }),
    deny: '"decision":"deny"',
    ask: '"decision":"ask"',
  },
  copilot: {
    event: 'preToolUse',
    payload: (command: string) => ({
      sessionId: 's1',
      toolName: 'bash',
      toolArgs: { command },
    }),
    deny: '"permissionDecision":"deny"',
    ask: '"permissionDecision":"ask"',
  },
  opencode: {
    event: 'tool.execute.before',
    payload: (command: string) => ({
      input: { tool: 'bash', sessionID: 's1', callID: 'c1' },
      output: { args: { command } },
    }),
    deny: '{"deny":"never"}',
    ask: '(opencode cannot ask here, so it was denied.)',
  },
} as const

const OVER_8_MB = 8_400_000
const LONG = `: ${'x'.repeat(65_600)}; rm -rf /`
const OVER_THE_LIMIT = `: ${'x'.repeat(OVER_8_MB)}; rm -rf /`

const CLOSED = { exit: 2, stdout: '', stderr: expect.stringContaining('"closed"') }

let at: Places
/** Its name stands behind the first 8 MB. */
const NAMELESS_AND_CUT = JSON.stringify({ x: 'a'.repeat(OVER_8_MB), ...AGENTS.claude.payload('; rm -rf /') })

let daemon: RunningDaemon

beforeAll(async () => {
  at = makeHome()
  mkdirSync(at.rules, { recursive: true, mode: 0o700 })
  writeFileSync(join(at.rules, 'guards.yaml'), RULES)
  daemon = await startDaemon(at)
})

afterAll(async () => {
  await daemon.kill('SIGKILL')
})

describe('over HTTP', () => {
  const send = async (path: string, body: string): Promise<Response> => {
    const { url } = JSON.parse(readFileSync(at.http, 'utf8')) as { url: string }
    const headers = {
      authorization: `Bearer ${readFileSync(at.token, 'utf8').trim()}`,
      'content-type': 'application/json',
    }
    return fetch(`${url}/hooks/${path}`, { method: 'POST', headers, body })
  }
  const post = async (agent: string, event: string, payload: unknown): Promise<string> =>
    (await send(`${agent}?event=${event}`, JSON.stringify(payload))).text()

  test('what does not say which event it is gets no answer but an error with words', async () => {
    expect(await (await send('claude', NAMELESS_AND_CUT)).json()).toMatchObject({ decision: 'block' })
    const cut = await send('gemini', NAMELESS_AND_CUT)
    expect(cut.status).toBe(413)
    expect(await cut.text()).toContain('could not tell whether rule \\"no-rm\\" applies')
    expect((await send('gemini', '{"tool_name":"Bash","tool_inp')).status).toBe(400)
    expect((await send('claude', '{"tool_name":"Write"}')).status).toBe(204)
  })

  for (const [agent, { event, payload, deny, ask }] of Object.entries(AGENTS))
    test(`${agent} is denied what stands behind 64 KB, and asked about what is over 8 MB`, async () => {
      expect(await post(agent, event, payload(LONG))).toContain(deny)
      const told = await post(agent, event, payload(OVER_THE_LIMIT))
      expect(told).toContain(ask)
      expect(told).toContain('could not tell whether rule \\"no-rm\\" applies')
      expect(await post(agent, event, payload('ls'))).toBe('')
    })
})

test('what is cut, and does not say which event it is, does not pass', async () => {
  const bytes = Buffer.from(NAMELESS_AND_CUT)
  const payload = bytes.subarray(0, PAYLOAD_LIMIT_BYTES)
  expect(
    parseReply(await exchange(at, frame({ payload, header: { cut: bytes.length } }), 60_000)),
  ).toMatchObject(CLOSED)
})

for (const [name, client] of CLIENTS) {
  describe(`with the ${name} client`, () => {
    const hook = (agent: string, event: string, payload: unknown, ...flags: string[]): Promise<Ran> =>
      run(
        [...client, ...flags, agent, event],
        at,
        typeof payload === 'string' ? payload : JSON.stringify(payload),
      )

    for (const [agent, { event, payload, deny, ask }] of Object.entries(AGENTS)) {
      // Clients treat what is required the same for all agents, and cut the same; the words come from the daemon, and are
      // compared over HTTP for each.
      const ways = agent === 'claude' ? [[], ['--required']] : name === 'native' && isLong ? [[]] : []
      const asked = ways.length > 0 ? ', and asked about what is over 8 MB' : ''
      test(`${agent} is denied what stands behind 64 KB${asked}`, async () => {
        const long = await hook(agent, event, payload(LONG))
        expect(long).toMatchObject({ exit: 0, stdout: expect.stringContaining(deny) })
        for (const flags of ways) {
          const cut = await hook(agent, event, payload(OVER_THE_LIMIT), ...flags)
          expect(cut.stdout).toContain(ask)
          expect(cut.stdout).toContain('could not tell whether rule \\"no-rm\\" applies')
        }
        expect(await hook(agent, event, payload('ls'))).toMatchObject({ exit: 0, stdout: '' })
      })
    }

    // The rule speaks in the daemon; that both clients cut alike is seen above.
    test.if(name === 'native' || isLong)('a rule says itself what not understood means', async () => {
      const prompt = { session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'x'.repeat(OVER_8_MB) }
      const told = await hook('claude', 'UserPromptSubmit', prompt)
      expect(JSON.parse(told.stdout)).toMatchObject({ decision: 'block' })
      const stop = {
        session_id: 's1',
        hook_event_name: 'Stop',
        last_assistant_message: 'y'.repeat(OVER_8_MB),
      }
      expect(await hook('claude', 'Stop', stop)).toEqual({ exit: 0, stdout: '', stderr: '' })
    })

    test('half a payload, and one that is nested without end, are not understood either', async () => {
      const half = '{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"comm'
      expect((await hook('claude', 'PreToolUse', half)).stdout).toContain('"permissionDecision":"ask"')
      const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`
      const nested = `${half.slice(0, -6)}{"a":${deep},"command":"rm -rf /"}}`
      expect((await hook('claude', 'PreToolUse', nested)).stdout).toContain('"permissionDecision":"ask"')
    })

    test('what does not say which event it is never passes in silence', async () => {
      const nameless = (payload: string, ...flags: string[]) =>
        run([...client, ...flags, 'claude'], at, payload)
      /** Without a name it is waited for a quarter of a second only, which may not be enough on a busy machine. */
      const answered = (payload: string) =>
        until(async () => {
          const told = await nameless(payload)
          return told.exit !== 0 && told
        }, 'an answer in time')
      for (const payload of [NAMELESS_AND_CUT, '{"tool_name":"Bash","tool_inp', 'no JSON']) {
        if (payload !== NAMELESS_AND_CUT) expect(await answered(payload)).toMatchObject(CLOSED)
        const required = await nameless(payload, '--required')
        expect(required).toMatchObject({
          exit: 2,
          stdout: '',
          stderr: expect.stringContaining('Name the event'),
        })
      }
      const bash = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'rm -rf /' } })
      const told = {
        stdout: '',
        stderr: expect.stringContaining('"no-rm" applies: nothing says which event'),
      }
      expect(await answered(bash)).toMatchObject({ exit: 1, ...told })
      expect(await nameless(bash, '--required')).toMatchObject({ exit: 2, ...told })
      expect(await nameless('{"tool_name":"Write"}', '--required')).toMatchObject({ exit: 0, stderr: '' })
      const doctor = await run([GANTRY, 'doctor'], at)
      expect(doctor.stdout).toContain('claude (event not named)')
    })

    test('a pattern that goes back for ever elsewhere is done at once', async () => {
      const bash = (command: string) => hook('claude', 'PreToolUse', AGENTS.claude.payload(command))
      const letters = 'a'.repeat(20_000)
      // A client that waits for 5 s gives up and stands open: each of these is an answer.
      expect((await bash(`${letters}; rm -rf /`)).stdout).toContain('never')
      expect((await bash(`${letters}=`)).stdout).toContain('slow')
      expect((await bash(`${letters}!`)).stdout).toContain('slower')
      expect(await call(at, 'status')).toMatchObject({ pid: daemon.pid })
    })
  })
}
