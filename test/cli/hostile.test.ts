/** A fleet whose names, paths, words and versions try to drive the terminal: no command lets any of it through. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { WireEvent } from '../../src/client/index.ts'
import { escaped } from '../../src/core/text/text.ts'
import {
  FIXTURES,
  GANTRY,
  makeHome,
  type RunningDaemon,
  run,
  sendFrame,
  sendFrames,
  startDaemon,
  tempDir,
} from '../kit.ts'

setDefaultTimeout(120_000) // many processes each, on machines that are busy

const BAD = 'X\u001b[31m\u001b]0;t\u0007\u009b2J\u202e\u2066\u061c\u2028\u007f\n\r\tY\u001b[5mW'
const ENDLESS = 'Z\u001b]0;no end'
// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
const DRIVING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
/** A command that cleans what it shows has nothing left for the last gate to make visible. */
const LAST_GATE = /\\u[0-9a-f]{4}/
/** What a sequence leaves when only its control characters go. */
const DEBRIS = /\[31m|\]0;t/

const at = makeHome(`[approvals]\nenabled = false\n`)
const dir = tempDir()
let daemon: RunningDaemon

const gantry = (...args: string[]) => run([GANTRY, ...args], at, '', { FORCE_COLOR: '0', COLUMNS: '200' })

const EVERYTHING = {
  cwd: `/w/${BAD}`,
  transcript_path: join(at.home ?? '', `.claude/projects/x/${BAD}.jsonl`),
  permission_mode: BAD,
  prompt: BAD,
  tool_name: BAD,
  tool_input: { command: BAD, [BAD]: BAD },
  tool_response: { [BAD]: BAD },
  tool_use_id: BAD,
  agent_id: BAD,
  agent_type: BAD,
  model: BAD,
  source: BAD,
  reason: BAD,
  message: BAD,
  title: BAD,
  notification_type: BAD,
  error: BAD,
  last_assistant_message: BAD,
  trigger: BAD,
  version: BAD,
  [BAD]: BAD,
  [ENDLESS]: ENDLESS,
}
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'Notification',
  'PermissionRequest',
  'Stop',
  'StopFailure',
  BAD,
  ENDLESS,
]

beforeAll(async () => {
  mkdirSync(dirname(EVERYTHING.transcript_path), { recursive: true })
  writeFileSync(EVERYTHING.transcript_path, transcript())
  mkdirSync(at.rules, { recursive: true })
  const rule = { id: 'loud', on: 'PreToolUse', tool: BAD, decision: 'deny', reason: BAD, context: BAD }
  writeFileSync(join(at.rules, 'rules.yaml'), JSON.stringify({ rules: [rule] }))
  daemon = await startDaemon(at)
  const header = { pane: BAD, tmux: BAD, client: BAD, env: { AI_AGENT: `claude-code_${BAD}_x` } }
  const { agent_id, ...own } = EVERYTHING
  const told = (agent: string, session_id: string, events: readonly string[]) =>
    events.map((hook_event_name) => {
      const child = hook_event_name.startsWith('Subagent') ? { agent_id } : {}
      return { agent, header, payload: JSON.stringify({ hook_event_name, session_id, ...own, ...child }) }
    })
  // Every event under one name, and under the other what shows that name.
  await sendFrames(
    at,
    ['claude', 'codex', 'gemini', 'copilot', 'opencode', 'stranger'].flatMap((agent) => [
      ...told(agent, `${agent}-${BAD}`, EVENTS),
      ...told(agent, `${agent}-${ENDLESS}`, ['UserPromptSubmit', 'Stop', ENDLESS]),
    ]),
  )
  await sendFrame(at, { payload: `no json ${BAD}` })
  const effort = join(at.home ?? '', 'work')
  mkdirSync(effort)
  for (const args of [
    ['effort', 'start', 'implement', '--task', effort, '--title', BAD],
    ['effort', 'log', BAD],
    ['effort', 'phase', BAD],
    ['bus', 'emit', '--event=Deployed', `--payload=${JSON.stringify({ text: BAD, session_id: BAD })}`],
    ['bus', 'register', '--id', 'loud', '--events', 'Stop', '--command', `printf '${BAD}' >&2; exit 1`],
  ])
    await gantry(...args)
  await sendFrame(at, { payload: JSON.stringify({ hook_event_name: 'Stop', session_id: `claude-${BAD}` }) })
}, 120_000)

afterAll(async () => void (await daemon.kill('SIGTERM')))

const id = `claude-${BAD}`

/** What people read. */
const SHOWING = [
  ['events', '-n', '1000'],
  ['sessions', '--all'],
  ['session', id],
  ['session', id, '--timeline'],
  ['session', id, '--transcript'],
  ['session', id, '--usage'],
  ['search', 'X'],
  ['status'],
  ['doctor'],
  ['bus', 'status'],
  ['bus', 'handlers'],
  ['bus', 'consumers'],
  ['bus', 'dead-letters'],
  ['bus', 'webhooks'],
  ['bus', 'subscribe', '--since', '1h', '--count', '80'],
  ['effort', 'list'],
  ['effort', 'show', '1'],
  ['task', 'list'],
  ['fleet', 'status'],
  ['approvals'],
  ['notify', 'log'],
  ['rules', 'list'],
  ['tmux', 'status'],
  ['schema', 'analyze'],
  ['schema', 'analyze', '--learned'],
  ['schema', 'diff'],
  ['query', 'SELECT session_id, type, native FROM events'],
]

/** What programs read. */
const EXACT = [
  ['events', '--json', '-n', '1000'],
  ['events', '--format', 'sdk', '-n', '1000'],
  ['sessions', '--all', '--json'],
  ['sessions', '--all', '--json', '--dialect', 'coop'],
  ['session', id, '--json'],
  ['search', 'X', '--json'],
  ['doctor', '--json'],
  ['bus', 'subscribe', '--since', '1h', '--count', '80', '--json'],
  ['effort', 'show', '1', '--json'],
  ['rules', 'list', '--json'],
  ['schema', 'analyze', '--json'],
  ['schema', 'diff', '--json'],
  ['schema', 'types', '--json-schema'],
  ['schema', 'baseline', '--json'],
  ['rpc', 'sessions.list', '{"all":true}'],
  ['query', '--json', 'SELECT session_id, raw FROM events'],
  ['record'],
]

/** What says no. */
const REFUSING = [
  [BAD],
  ['bus', BAD],
  ['session', `nope${BAD}`],
  ['events', '--since', BAD],
  ['events', '--format', BAD],
  ['events', '-n', BAD],
  ['events', '--X\u001b[31m\u009b2J'],
  ['sessions', '--dialect', BAD],
  ['search', 'X', '--session', `nope${BAD}`],
  ['search', 'X', '--type', BAD],
  ['bus', 'subscribe', '--filter', BAD],
  ['bus', 'subscribe', '--durable', BAD],
  ['bus', 'consumers', '--delete', BAD],
  ['bus', 'unregister', BAD],
  ['bus', 'emit', '--event=X', `--payload=${BAD}`],
  ['effort', 'show', BAD],
  ['effort', 'guard', BAD],
  ['approve', BAD],
  ['notify', 'test', BAD],
  ['tmux', 'jump', BAD],
  ['install', BAD],
  ['uninstall', BAD],
  ['completions', BAD],
  ['schema', 'diff', `${BAD}..1`],
  ['schema', 'diff', '--baseline', BAD],
  ['schema', 'analyze', '--file', BAD],
  ['schema', 'types', '--agent', BAD],
  ['schema', 'baseline', '--agent', BAD],
  ['rules', 'test', BAD],
  ['replay', BAD],
  ['replay', join(FIXTURES, 'claude/2.1.325/basic.jsonl'), '--speed', BAD],
  ['record', '--session', `nope${BAD}`],
  ['query', `SELECT '${BAD}' FROM nowhere`],
  ['rpc', BAD],
  ['rpc', 'sessions.get', JSON.stringify({ session: `nope${BAD}` })],
  ['demo', '--for', BAD],
]

const nameOf = (args: readonly string[]) => escaped(JSON.stringify(args.join(' '))).slice(1, 80)

describe('what people read is text and nothing else', () => {
  for (const args of SHOWING)
    test(nameOf(args), async () => {
      const { stdout, stderr } = await gantry(...args)
      expect(stderr).toBe('')
      expect(stdout).not.toMatch(DRIVING)
      expect(stdout.split('\n').filter((line) => LAST_GATE.test(line) || DEBRIS.test(line))).toEqual([])
    })
})

describe('what programs read is exact, and drives no terminal it is shown on', () => {
  for (const args of EXACT)
    test(nameOf(args), async () => {
      const { stdout, stderr } = await gantry(...args)
      expect(stderr).toBe('')
      expect(stdout).not.toMatch(DRIVING)
      const texts = stdout.startsWith('[') || /^\{\n/.test(stdout) ? [stdout] : stdout.trim().split('\n')
      for (const text of texts) JSON.parse(text)
    })

  test('the names are what they were', async () => {
    const { stdout } = await gantry('events', '--json', '-n', '1000', '--agent', 'stranger')
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as WireEvent)
    expect(new Set(events.map(({ sessionId }) => sessionId))).toEqual(
      new Set([`stranger-${BAD}`, `stranger-${ENDLESS}`]),
    )
    expect(JSON.parse(events[0]?.raw ?? '')).toMatchObject({ [BAD]: BAD })
  })
})

describe('what says no repeats nothing that drives', () => {
  for (const args of REFUSING)
    test(nameOf(args), async () => {
      const { exit, stdout, stderr } = await gantry(...args)
      expect(exit).toBeGreaterThan(0)
      expect(stderr).toStartWith('gantry: ')
      expect(stdout + stderr).not.toMatch(DRIVING)
    })
})

test('an event is shown in full after the line that says which it is', async () => {
  const { stdout } = await gantry('session', id, '--why')
  expect(stdout).not.toMatch(DRIVING)
  expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({ sessionId: id })
})

test('a recording of it plays, and its types are types', async () => {
  const file = join(dir, 'record.jsonl')
  await gantry('record', '--out', file)
  const played = await gantry('replay', file, '--speed', 'max')
  expect(played.stdout + played.stderr).not.toMatch(DRIVING)
  expect(played.stderr).not.toContain('left out')
  const types = await gantry('schema', 'types')
  expect(types.stdout).toContain('export interface')
  expect(types.stdout).not.toMatch(DRIVING)
})

/** As Claude writes it. */
function transcript(): string {
  const message = { role: 'assistant', id: 'm1', model: BAD, content: [{ type: 'text', text: BAD }] }
  const usage = { input_tokens: 5, output_tokens: 5 }
  const head = { timestamp: new Date().toISOString(), uuid: 'u1', sessionId: id }
  return [
    { ...head, type: 'user', message: { role: 'user', content: BAD } },
    { ...head, type: 'assistant', message: { ...message, usage } },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}
