/** Rules rehearsed on the journal of a real daemon: the same verdicts as then, why, and what to propose. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RehearsalReport } from '../../src/client/index.ts'
import { call } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { loadConfig } from '../../src/daemon/config/config.ts'
import { rulesIn } from '../../src/decisions/index.ts'
import { Draft, replay } from '../../src/decisions/rehearse/index.ts'
import { newId } from '../../src/events/index.ts'
import { generateScript } from '../../src/shell/testkit.ts'
import { openEventReader } from '../../src/store/index.ts'
import {
  FIXTURES,
  type FrameParts,
  fixtureLines,
  framesOf,
  gantry,
  gantryJson,
  journal,
  makeHome,
  ROOT,
  sendFrame,
  sendFrames,
  startDaemon,
  tempDir,
  until,
} from '../kit.ts'
import { isLong, rounds } from '../long.ts'

setDefaultTimeout(120_000) // hundreds of hooks, a busy machine

const RULES = `
rules:
  - { id: no-force-push, on: PreToolUse, when: { program: git, subcommand: push, flags: [-f, --force] }, then: { deny: no } }
  - { id: no-sudo, on: PreToolUse, match: { tool.input.command: 'sudo ' }, decision: ask }
  - { id: quiet, on: PreToolUse, match: { tool.input.command: '^npm test$' }, input: { command: npm test --silent }, priority: 10 }
  - { id: outside, on: PreToolUse, when: { writes: { outside: worktree } }, then: { context: Stay here. } }
  - { id: hello, on: [SessionStart, UserPromptSubmit], context: Tabs., once: session }
  - { id: go-on, on: Stop, decision: block-stop, reason: more }
  - { id: any, on: '*', agent: codex, match: { cwd: nowhere }, decision: deny }
  - { id: reads, on: [PermissionRequest], tool: /^(Read|read_file|view)$/, decision: allow }
`
const project = join(tempDir(), 'project')
const cwd = join(project, 'src')
/** Only rules and guards are replayed, so nobody else speaks here. */
const ALONE =
  '[guards]\npreset = "standard"\n\n[approvals]\nenabled = false\n\n[collisions]\nmode = "off"\n\n[loops]\nmode = "off"\n'
const LINES = rounds(5, 10_000) // of a recording

const bash = (command: string, more: object = {}): FrameParts => ({
  event: 'PreToolUse',
  payload: JSON.stringify({
    ...{ hook_event_name: 'PreToolUse', session_id: 'r1', cwd, tool_name: 'Bash' },
    ...{ tool_input: { command }, tool_use_id: newId(), ...more },
  }),
})

for (const folder of [cwd, join(project, '.git')]) mkdirSync(folder, { recursive: true })

/** A daemon with these rules and a session whose repository it knows. */
async function begin(): Promise<AsyncDisposable & { home: Places }> {
  const home = makeHome(ALONE)
  mkdirSync(home.rules, { recursive: true })
  writeFileSync(join(home.rules, 'test.yaml'), RULES)
  const daemon = await startDaemon(home)
  const start = { hook_event_name: 'SessionStart', session_id: 'r1', cwd, source: 'startup' }
  await sendFrame(home, { event: 'SessionStart', payload: JSON.stringify(start) })
  // It reads the repository in the background.
  await until(async () => {
    const [session] = await call(home, 'sessions.list', {})
    return session?.project === 'project'
  }, 'the repository of the session')
  return { home, [Symbol.asyncDispose]: daemon[Symbol.asyncDispose] }
}

describe('a replay', () => {
  test('with the same rules gives the verdicts of then, for all agents and any command', async () => {
    await using begun = await begin()
    const { home } = begun
    const files = [...new Bun.Glob('*/*/*.jsonl').scanSync(FIXTURES)].sort()
    expect(new Set(files.map((file) => file.split('/')[0])).size).toBe(9)
    const corpus = (await Bun.file(join(ROOT, 'test/corpora/guards.jsonl')).text()).trim().split('\n')
    const commands = [
      ...corpus
        .filter((_, n) => isLong || n % 25 === 0)
        .map((line) => (JSON.parse(line) as { command: string }).command),
      ...Array.from({ length: rounds(60, 20_000) }, (_, seed) => generateScript(seed)),
      ...['npm test', 'npm test', 'sudo ls', 'echo x > /home/other/file'],
    ]
    const recorded = files.flatMap((file) => framesOf(fixtureLines(file).slice(0, LINES)))
    await sendFrames(home, recorded)
    await sendFrames(
      home,
      commands.map((command) => bash(command)),
    )
    const { verdicts, report } = await replayNow(home)
    const then = new Map(
      journal<{ id: string; type: string; data: string }>(
        home,
        "SELECT id, type, data FROM bus_messages WHERE stream = 'DECISION_EVENTS'",
      ).map(({ id, type, data }) => [id, { decision: type, ...pick(JSON.parse(data)) }]),
    )
    const wrong = [...verdicts].filter(
      ([id, { line: _, ...now }]) => !Bun.deepEquals(now, then.get(id) ?? NOTHING),
    )
    expect(wrong.map(([id, now]) => [now, then.get(id)])).toEqual([])
    expect(verdicts.size).toBeGreaterThan(commands.length + recorded.length / 2)
    expect(report.judged - verdicts.size).toBeLessThan(report.judged / 100)
    for (const id of [
      'no-force-push',
      'no-sudo',
      'quiet',
      'outside',
      'hello',
      'go-on',
      'guard:delete-system',
    ])
      expect({ id, counts: report.rules.find((effects) => effects.id === id)?.counts ?? {} }).not.toEqual({
        id,
        counts: {},
      })
    expect(report.rules.every(({ differs }) => differs === 0)).toBe(true)
  })
})

describe('the commands', () => {
  test('say what a draft would have done, and what each rule and guard says to one event', async () => {
    await using begun = await begin()
    const { home } = begun
    const draft = join(tempDir(), 'draft.yaml')
    writeFileSync(
      draft,
      'rules: [{ id: no-lists, on: PreToolUse, when: { program: ls }, then: { deny: no } }]',
    )
    for (const command of ['npm test', 'ls', 'git push -f']) await sendFrame(home, bash(command))
    const id = newId()
    await sendFrame(home, { ...bash('cd src && git push  -f origin main; ls'), id })
    const report = (await gantryJson(
      home,
      'rules',
      'replay',
      '--rules',
      draft,
      '--preset',
      'off',
      '--json',
    )) as RehearsalReport
    expect(report.rules.map((effects) => effects.id)).toEqual(['no-lists'])
    expect(report.rules[0]?.samples[0]).toMatchObject({
      id,
      effect: 'deny',
      answered: { by: 'no-force-push' },
    })
    expect(report.rules[0]?.byOthers).toBeGreaterThan(0) // denied then as well, by no-force-push
    const { stdout } = await gantry(home, 'rules', 'replay', '--rules', draft, '--preset', 'strict')
    expect(stdout).toMatch(/^[\d,]+ of [\d,]+ events judged: [\d,]+ denied/)
    const silent = join(tempDir(), 'silent.yaml')
    writeFileSync(
      silent,
      'rules:\n  - { id: none, on: PreToolUse, when: { program: nobody }, then: { deny: no } }\n',
    )
    const none = await gantry(home, 'rules', 'replay', '--rules', silent, '--preset', 'off')
    expect(none.stdout).toMatch(/ judged: none would have been denied, asked about or changed \(since /)
    expect(stdout).toMatch(/of them decided otherwise then, [\d,]+ decided alike by others/)
    expect((await gantry(home, 'rules', 'replay')).stdout.includes('then: changed by quiet')).toBe(true)
    expect(stdout).toContain('guard:git-force-push')
    expect(stdout).toMatch(/by project\n {2}\S*project {2}[\d,]+ denied/)

    const why = (await gantryJson(home, 'rules', 'why', id, '--json')) as Record<string, never>
    expect(why.rules).toContainEqual(
      expect.objectContaining({
        id: 'no-force-push',
        said: 'matched',
        conditions: expect.arrayContaining([
          {
            name: 'when.flags',
            said: 'matched',
            span: { text: 'git push  -f origin main', from: 10, to: 34 },
          },
        ]),
      }),
    )
    expect(why.rules).toContainEqual(
      expect.objectContaining({
        id: 'no-sudo',
        said: 'not matched',
        conditions: expect.arrayContaining([{ name: 'match.tool.input.command', said: 'not matched' }]),
      }),
    )
    expect(why.guards).toContainEqual(
      expect.objectContaining({
        ...{ id: 'git-force-push', mode: 'deny', said: 'matched' },
        span: { text: 'git push  -f origin main', from: 10, to: 34 },
      }),
    )
    expect(why).toMatchObject({
      verdict: { decision: 'deny', by: 'no-force-push' },
      answered: { decision: 'deny', by: 'no-force-push' },
    })
    expect(why).not.toHaveProperty('changed')

    writeFileSync(join(home.rules, 'test.yaml'), 'rules: []')
    const after = await gantry(home, 'rules', 'why', id)
    expect(after.stdout).toContain('answered  deny by no-force-push')
    expect(after.stdout).toContain('Rules or settings changed after this event.')
    expect((await gantry(home, 'rules', 'why', 'nobody')).exit).toBe(1)
  })
})

const NOTHING = { decision: 'none' }

function pick({ by, input, context }: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify({ by, input, context })) as Record<string, unknown>
}

async function replayNow(at: Places) {
  const { config } = await loadConfig(at.configFile)
  const rules = await rulesIn([join(at.rules, 'test.yaml')])
  const draft = new Draft({ rules, guards: config.guards, places: at, home: at.home ?? '' })
  const reader = openEventReader(at.database)
  const verdicts = new Map<string, Record<string, unknown>>()
  const report: RehearsalReport = await replay(reader, draft, {
    since: 0,
    each: (event, { verdict, unknown }) => {
      if (unknown === undefined)
        verdicts.set(event.id, {
          decision: verdict.decision,
          ...pick({ ...verdict }),
          line: event.tool?.input,
        })
    },
  })
  reader.close()
  draft.close()
  return { verdicts, report }
}
