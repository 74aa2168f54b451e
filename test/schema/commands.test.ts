/** gantry schema analyze, diff, types, baseline: as people and CI run them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Baseline } from '../../src/rpc/index.ts'
import { openStore } from '../../src/store/index.ts'
import {
  eventOf,
  FIXTURES,
  fixtureLines,
  framesOf,
  GANTRY,
  gantry,
  gantryJson,
  makeHome,
  type RunningDaemon,
  run,
  sendFrames,
  startDaemon,
  tempDir,
} from '../kit.ts'

const CLAUDE = join(FIXTURES, 'claude/2.1.325')
const files = readdirSync(CLAUDE)
  .filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) => ['--file', join(CLAUDE, name)])
const one = join(CLAUDE, '_one-of-each.jsonl')
const away = makeHome()
const at = makeHome()
let daemon: RunningDaemon

beforeAll(async () => {
  daemon = await startDaemon(at)
  const all = fixtureLines('claude/2.1.325/_one-of-each.jsonl')
  await sendFrames(at, framesOf(all.filter((line) => line.env.AI_AGENT))) // those that tell their version
})

afterAll(async () => {
  await daemon.kill('SIGTERM')
})

interface Analysis {
  readonly events: {
    readonly event: string
    readonly version: string
    readonly count: number
    readonly fields: { path: string; tool?: string; types: string[]; presence: number; values?: string[] }[]
  }[]
  readonly against: string
  readonly differences: { kind: string; event: string; path: string; after?: string }[]
}

describe('schema analyze', () => {
  test('of recorded lines lists what the documentation leaves out, without a daemon', async () => {
    const { exit, stdout } = await gantry(away, 'schema', 'analyze', ...files)
    expect(exit).toBe(0)
    for (const line of [
      /^info +PostToolUse, PreToolUse, Stop, SubagentStop, .*UserPromptSubmit: new field "permission_mode"/m,
      /^info +SessionStart: new field "source" \(/m,
      /^info +Stop, SubagentStop: new field "stop_hook_active"/m,
      /^breaking +SubagentStop: field "agent_name" is now "agent_id"/m,
      /^info +SubagentStop: new field "agent_transcript_path"/m,
      /^breaking +UserPromptSubmit: field "user_input" is now "prompt"/m,
      /^breaking +PostToolUse: field "tool_output" is now "tool_response"/m,
      /^info +PostToolUse: new field "tool_input"/m,
      /^info +Notification: structure was unknown: .*message, notification_type/m,
    ])
      expect(stdout).toMatch(line)
    expect(stdout).toMatch(/^claude 2\.1\.325 Stop {2}32 seen$/m)
    expect(stdout).toMatch(/^permission_mode +string +100% .*default/m)
    expect(stdout).toMatch(/^tool_input\.command \(Bash\) +string +100% /m)
  })

  test('of the journal shows each event with its fields, as JSON for programs', async () => {
    const found = (await gantryJson(at, 'schema', 'analyze', '--json', '--agent', 'claude')) as Analysis
    const start = found.events.find(({ event }) => event === 'SessionStart')
    expect(start).toMatchObject({ version: '2.1.325', count: 5 })
    expect(start?.fields.find(({ path }) => path === 'source')).toMatchObject({
      types: ['string'],
      presence: 1,
    })
    expect(found.against).toBe('claude documented (2025-11-21)')
    const learned = (await gantryJson(at, 'schema', 'analyze', '--json', '--learned')) as Analysis
    expect(learned.events.map(({ event, count }) => `${event} ${count}`)).toEqual(
      found.events.map(({ event, count }) => `${event} ${count}`),
    )
    const stop = (await gantryJson(at, 'schema', 'analyze', '--json', '--event', 'Stop')) as Analysis
    expect(stop.events.map(({ event }) => event)).toEqual(['Stop'])
    expect(new Set(stop.differences.map(({ event }) => event))).toEqual(new Set(['Stop']))
  }, 120_000)

  test('of a long journal is shared by two processes and counts every event once', async () => {
    const home = makeHome('[schema]\nenabled = false\n[search]\nenabled = false\n')
    mkdirSync(home.state, { recursive: true, mode: 0o700 })
    const store = openStore(home.database)
    const raw = JSON.stringify({ hook_event_name: 'Stop', session_id: 's1', cwd: '/' })
    const now = Date.now() // five seconds after its start a daemon begins to delete what is old
    for (let i = 0; i < 51_000; ) {
      store.journal.commit(() => {
        for (let n = 0; n < 10_200; n++, i++)
          store.journal.append(
            eventOf({ id: `m${i}`, at: now, receivedAt: now, agentVersion: '2.1.325', raw }),
          )
      })
    }
    store.close()
    await using _daemon = await startDaemon(home)
    const { events } = (await gantryJson(home, 'schema', 'analyze', '--json')) as Analysis
    expect(events).toMatchObject([{ event: 'Stop', count: 51_000 }])
    expect(events[0]?.fields.find(({ path }) => path === 'cwd')).toMatchObject({ presence: 1 })
  }, 120_000)

  test('says what to do when the daemon is away, a file is not there, or a line is no JSON', async () => {
    expect(await gantry(away, 'schema', 'analyze')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('gantry up'),
    })
    const missing = await gantry(away, 'schema', 'analyze', '--file', '/nowhere.jsonl')
    expect(missing).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('/nowhere.jsonl cannot be read'),
    })
    const broken = join(tempDir(), 'broken.jsonl')
    const one = JSON.stringify({ agent: 'claude', event: 'Stop', payload: { session_id: 's1' } })
    writeFileSync(broken, `${one}\n\nnope\n${one}\n`)
    const { exit, stderr } = await gantry(away, 'schema', 'analyze', '--file', broken)
    expect({ exit, stderr }).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('broken.jsonl:3 is not JSON'),
    })
    const growing = join(tempDir(), 'growing.jsonl')
    writeFileSync(growing, `${one}\n${one.slice(0, 30)}`)
    for (const what of ['analyze', 'types']) {
      const ran = await gantry(away, 'schema', what, '--file', growing)
      expect(ran).toMatchObject({
        exit: 0,
        stderr: expect.stringMatching(/^gantry: the last line was left out: .*growing\.jsonl:2 is not JSON/),
      })
      expect(ran.stdout).toContain('Stop')
    }
  })

  test('a name that no payload has is a mistake, and no empty journal', async () => {
    const file = join(FIXTURES, 'claude/2.1.325/_one-of-each.jsonl')
    const said = async (...args: string[]) => {
      const { exit, stderr } = await gantry(away, 'schema', ...args, '--file', file)
      return `${exit} ${stderr.trim()}`
    }
    for (const what of ['analyze', 'types']) {
      expect(await said(what, '--agent', 'claud')).toBe(
        '2 gantry: No payload has the agent "claud". Did you mean claude?',
      )
      expect(await said(what, '--event', 'PreToolUes')).toBe(
        '2 gantry: No payload has the event "PreToolUes". Did you mean PreToolUse?',
      )
    }
  })

  test('never lets a payload drive the terminal', async () => {
    const file = join(tempDir(), 'hostile.jsonl')
    const payload = {
      hook_event_name: 'Stop',
      session_id: 's',
      '\u001b[31mred': '\u001b]0;title\u0007',
      __proto__: 1,
    }
    writeFileSync(file, `${JSON.stringify({ agent: 'claude', version: '1', event: 'Stop', payload })}\n`)
    const { exit, stdout } = await gantry(away, 'schema', 'analyze', '--file', file)
    expect(exit).toBe(0)
    expect(stdout).not.toContain('\u001b]0')
    expect(stdout).not.toContain('\u001b[31mred')
  })
})

describe('schema diff', () => {
  test('between versions names what changed, with exit 1 for what breaks, with a daemon or without', async () => {
    for (const home of [away, at]) {
      const { exit, stdout } = await gantry(home, 'schema', 'diff', '2.0.77..2.1.325')
      expect(exit).toBe(1)
      expect(stdout).toMatch(/^breaking +tool "Task" is now "Agent"$/m)
      expect(stdout).toMatch(/^info .*\bStopFailure\b.*: new event$/m)
      expect(stdout).toMatch(/^info .*\bPreToolUse\b.*: new field "prompt_id"/m)
    }
  })

  test('of what came is empty where nothing changed, and colours what did for a terminal', async () => {
    const { exit, stdout } = await gantry(at, 'schema', 'diff', '--agent', 'claude')
    expect({ exit, breaking: stdout.includes('breaking') }).toEqual({ exit: 0, breaking: false })
    const coloured = await run([GANTRY, 'schema', 'diff', '2.0.77..2.1.325'], away, '', { FORCE_COLOR: '1' })
    expect(coloured.stdout).toContain('\u001b[31mbreaking')
  })

  test('against a baseline file is what CI needs', async () => {
    const dir = tempDir()
    const file = join(dir, 'baseline.json')
    expect(await gantry(at, 'schema', 'baseline', '--agent', 'claude', '--out', file)).toMatchObject({
      exit: 0,
    })
    const baseline = JSON.parse(readFileSync(file, 'utf8')) as Baseline
    expect(baseline).toMatchObject({ agent: 'claude', version: '2.1.325', events: { Stop: {} } })
    const same = await gantry(away, 'schema', 'diff', '--baseline', file, '--file', one)
    expect(same).toMatchObject({ exit: 0, stdout: 'No differences.\n' })
    const [line] = fixtureLines('claude/2.1.325/_one-of-each.jsonl').filter(
      ({ event }) => event === 'PreToolUse',
    )
    const changed = join(dir, 'changed.jsonl')
    writeFileSync(changed, `${JSON.stringify({ ...line, payload: { ...line?.payload, cwd: 7 } })}\n`)
    const diff = await gantry(away, 'schema', 'diff', '--baseline', file, '--file', changed, '--json')
    expect(diff.exit).toBe(1)
    expect(JSON.parse(diff.stdout)).toMatchObject([
      {
        kind: 'changed-type',
        severity: 'breaking',
        event: 'PreToolUse',
        path: 'cwd',
        before: 'string',
        after: 'integer',
      },
    ])
  }, 120_000)

  test('says what is wrong with what it was given', async () => {
    const wrong: [string[], RegExp][] = [
      [['2.0.77'], /"2\.0\.77" is not two versions/],
      [['1..2', '--baseline', 'x'], /either two versions, or --baseline/],
      [['--baseline', '/nowhere.json', '--file', one], /\/nowhere\.json is not a baseline/],
      [['--baseline', one, '--file', one], /is not a baseline: .*gantry schema baseline --out/],
    ]
    for (const [args, message] of wrong) {
      const { exit, stderr } = await gantry(away, 'schema', 'diff', ...args)
      expect({ exit, stderr }).toMatchObject({ exit: 2, stderr: expect.stringMatching(message) })
    }
    const unknown = await gantry(at, 'schema', 'diff', '2.0.77..9.9.9')
    expect(unknown).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/There is nothing known of claude 9\.9\.9.*2\.1\.325/),
    })
  })
})

describe('schema types', () => {
  test('prints interfaces of what came, or JSON Schemas, or writes them', async () => {
    const { exit, stdout } = await gantry(at, 'schema', 'types', '--agent', 'claude', '--event', 'Stop')
    expect(exit).toBe(0)
    expect(stdout).toMatch(/^export interface ClaudeStop \{$/m)
    expect(stdout).toMatch(/^ {2}stop_hook_active: boolean$/m)
    const schemas = await gantry(away, 'schema', 'types', '--json-schema', '--event', 'Stop', '--file', one)
    expect(JSON.parse(schemas.stdout)).toMatchObject([
      { title: 'claude 2.1.325 Stop', required: expect.arrayContaining(['stop_hook_active']) },
    ])
    const file = join(tempDir(), 'types.ts')
    expect(await gantry(away, 'schema', 'types', '--file', one, '--out', file)).toMatchObject({
      exit: 0,
      stdout: '',
    })
    expect(existsSync(file)).toBe(true)
  })

  test('says so when there is nothing to make types of', async () => {
    const { exit, stderr } = await gantry(at, 'schema', 'types', '--agent', 'copilot')
    expect({ exit, stderr }).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('There is no payload of copilot yet.'),
    })
    const other = await gantry(at, 'schema', 'types', '--event', 'Stop', '--agent-version', '9.9')
    expect(other.stderr).toContain('There is no payload of any agent with event Stop and version 9.9 yet.')
  })
})

test('schema alone lists what there is', async () => {
  const { exit, stdout } = await gantry(away, 'schema')
  expect(exit).toBe(0)
  for (const name of ['analyze', 'diff', 'types', 'baseline']) expect(stdout).toContain(`schema ${name}`)
  expect(stdout).not.toContain('schema-worker')
})
