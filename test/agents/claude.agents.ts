/** Claude Code 2.1.325, the real program. */
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { WireEvent } from '../../src/client/index.ts'
import { journal } from '../kit.ts'
import { bash, claude } from './claude.ts'
import { expectClean, turn, without } from './expect.ts'
import type { ToolCall } from './mock/model.ts'
import { settled } from './stage.ts'
import { testRealAgent } from './suite.ts'
import { inTerminal } from './terminal.ts'

/** Instructions are read, and the status line is drawn, whenever there is something to read or to draw. */
const ANYWHERE = ['InstructionsLoaded', 'StatusLine']

testRealAgent(
  {
    driver: claude,
    shell: bash,
    failing: bash('exit 3'),
    anywhere: ANYWHERE,
    rewritesAlone: true,
    contexts: [
      'context-with-the-session',
      'context-with-the-prompt',
      'context-before-the-tool',
      'context-after-the-tool',
    ],
    orders: {
      plain: turn('PreToolUse', 'PostToolUse', 'PostToolBatch'),
      failing: turn('PreToolUse', 'PostToolUseFailure', 'PostToolBatch'),
      denied: turn('PreToolUse', 'PostToolBatch'),
      'stop-block': turn('Stop'),
      'prompt-block': ['SessionStart', 'UserPromptSubmit', 'SessionEnd'],
    },
  },
  (stage) => {
    test.each([
      ['claude-sonnet-4-5', 75],
      ['claude-sonnet-4-5[1m]', 15],
      ['claude-opus-5-5', 15],
    ])('without a status line, what fills the context of %s is told by its transcript', async (name, pct) => {
      const scenario = `window-of-${name.replaceAll(/\W/g, '-')}`
      const turns = [
        { calls: [bash('echo one')], tokens: 150_000 },
        { text: 'Done.', tokens: 150_000, waitMs: 1500 }, // its file is read as long as it runs
      ]
      const run = await stage().ask(scenario, turns, { args: ['--model', name] })
      const key = `claude:${run.events[0]?.sessionId}`
      const told = `SELECT json_extract(raw, '$.context_pct') AS pct FROM events
        WHERE type = 'UsageObserved' AND json_extract(raw, '$.session_key') = '${key}'`
      const found = await settled(
        () => journal(stage().places, told),
        (rows) => rows.length > 0,
      )
      expect(found[0]).toEqual({ pct })
    })

    test('commands that edit what was read, fail, or say a lot are nothing unknown', async () => {
      const commands = ['echo two >> a', 'grep none a', 'yes | head -c 200000', 'seq 9 | tail -n 2']
      const read: ToolCall = { name: 'Read', input: { file_path: join(stage().project('varied'), 'a') } }
      const calls = [bash('echo one > a'), read, ...commands.map(bash)]
      const run = await stage().ask('varied', [
        ...calls.map((call) => ({ calls: [call] })),
        { text: 'Done.' },
      ])
      expectClean(run.events, claude)
      expect(run.seen).toHaveLength(calls.length + 1)
    })

    describe('subagents', () => {
      const spawn: ToolCall = {
        name: 'Agent',
        input: {
          description: 'a job',
          prompt: 'do it [[s:child]]',
          subagent_type: 'general-purpose',
          run_in_background: false,
        },
      }

      test('a subagent is known by its id in every event of its own', async () => {
        stage().model.play('child', [{ calls: [bash('touch by-child')] }, { text: 'Child done.' }])
        const run = await stage().ask('subagent', [{ calls: [spawn] }, { text: 'Parent done.' }])
        expectClean(run.events, claude)
        expect(existsSync(join(run.project, 'by-child'))).toBe(true)
        expect(without(run.types, ANYWHERE)).toEqual(
          turn(
            'PreToolUse',
            'SubagentStart',
            'PreToolUse',
            'PostToolUse',
            'PostToolBatch',
            'SubagentStop',
            'PostToolUse',
            'PostToolBatch',
          ),
        )
        const children = run.events.filter((event) => event.agentId !== undefined)
        expect(children.map((event) => event.type)).toEqual([
          'SubagentStart',
          'PreToolUse',
          'PostToolUse',
          'PostToolBatch',
          'SubagentStop',
        ])
        expect(new Set(children.map((event) => event.agentId)).size).toBe(1)
      })

      test('a rule reaches the tools of a subagent', async () => {
        stage().model.play('child', [{ calls: [bash('touch by-child')] }, { text: 'Child done.' }])
        const run = await stage().ask('subagent-deny', [{ calls: [spawn] }, { text: 'Parent done.' }])
        expect(existsSync(join(run.project, 'by-child'))).toBe(false)
        expect(stage().model.seen('child').at(-1)?.text).toContain('gantry says no to the subagent')
      })
    })

    describe('permissions, headless', () => {
      const turns = [{ calls: [bash('touch ran')] }, { text: 'Done.' }]

      test('allow: the tool runs', async () => {
        const run = await stage().ask('permission-allow', turns, { guarded: true })
        expectClean(run.events, claude)
        expect(existsSync(join(run.project, 'ran'))).toBe(true)
        expect(run.types).toEqual(turn('PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolBatch'))
      })

      test('deny: it does not, and the model is told', async () => {
        const run = await stage().ask('permission-deny', turns, { guarded: true })
        expect(existsSync(join(run.project, 'ran'))).toBe(false)
        expect(run.seen[1]?.text).toContain('gantry does not permit it')
      })

      test('no answer: Claude decides by itself, and headless that is no', async () => {
        const run = await stage().ask('permission-none', turns, { guarded: true })
        expect(existsSync(join(run.project, 'ran'))).toBe(false)
        expect(run.types).toContain('PermissionRequest')
      })
    })

    test('the status line: gantry reads it, and the person still sees their own', async () => {
      const run = await inTerminal(stage(), 'tui/status-line', [], {}, (screen) =>
        screen.shows(/my own line/),
      )
      const lines = run.events.filter((event) => event.type === 'StatusLine')
      expect(lines.at(-1)).toMatchObject({
        agentVersion: '2.1.325',
        usage: { contextWindow: expect.any(Number) },
      })
    })

    describe('permissions, in a terminal', () => {
      const turns = [{ calls: [bash('touch ran')] }]

      test('allow: the tool runs and nobody is asked', async () => {
        const run = await inTerminal(stage(), 'tui/permission-allow', turns, { guarded: true })
        expectClean(run.events, claude)
        expect(existsSync(join(run.project, 'ran'))).toBe(true)
        expect(without(run.types, ANYWHERE)).toEqual(
          turn('PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolBatch'),
        )
      })

      test('no answer: the person is asked as ever', async () => {
        const run = await inTerminal(
          stage(),
          'tui/permission-none',
          turns,
          { guarded: true },
          async (screen) => {
            await screen.shows(/Do you want to proceed/)
            // The dialog comes while the hook still runs.
            const asked = await settled(
              async () => (await stage().events('tui/permission-none')).findLast(isPermission),
              (found) => found !== undefined,
            )
            expect(asked).toMatchObject({ tool: { name: 'Bash' }, client: { pane: '%0' } })
            await screen.answer(/Do you want to proceed/, 'Enter')
          },
        )
        expect(existsSync(join(run.project, 'ran'))).toBe(true)
      })
    })
  },
)

function isPermission(event: WireEvent): boolean {
  return event.type === 'PermissionRequest'
}
