/** Codex 0.166.0, the real program. */
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { codex, shell, TRUST_HOOKS } from './codex.ts'
import { expectClean, turn, without } from './expect.ts'
import { gantry, install, openStage } from './stage.ts'
import { testRealAgent } from './suite.ts'
import { inTerminal, READY } from './terminal.ts'
import { openScreen } from './tmux.ts'

const MODEL = ['PreModelRequest', 'PostModelRequest']

testRealAgent(
  {
    driver: codex,
    shell,
    failing: shell('exit 3'), // 0.166.0 does not say that it failed
    args: [TRUST_HOOKS],
    anywhere: [],
    request: MODEL,
    rewritesAlone: true,
    contexts: [
      'context-with-the-session',
      'context-with-the-prompt',
      'context-before-the-tool',
      'context-after-the-tool',
    ],
    orders: {
      plain: turn(...MODEL, 'PreToolUse', 'PostToolUse', ...MODEL),
      failing: turn(...MODEL, 'PreToolUse', 'PostToolUse', ...MODEL),
      denied: turn(...MODEL, 'PreToolUse', ...MODEL),
      'stop-block': turn(...MODEL, 'Stop', ...MODEL),
      'prompt-block': ['SessionStart', 'UserPromptSubmit', 'SessionEnd'],
    },
  },
  (stage) => {
    const askChild = async (scenario: string) => {
      stage().model.play('child', [{ calls: [shell('touch by-child')] }, { text: 'Child done.' }])
      return stage().ask(
        scenario,
        [
          {
            calls: [
              {
                name: 'multi_agent_v1.spawn_agent',
                input: { message: 'do it [[s:child]]', agent_type: 'default' },
              },
            ],
          },
          {
            calls: [
              { name: 'multi_agent_v1.wait_agent', input: { targets: ['$AGENT_ID'], timeout_ms: 10_000 } },
            ],
          },
          { text: 'Parent done.' },
        ],
        { args: [TRUST_HOOKS] },
      )
    }

    describe('subagents', () => {
      test('a subagent is known by its id in every event of its own', async () => {
        const run = await askChild('subagent')
        expectClean(run.events, codex)
        expect(existsSync(join(run.project, 'by-child'))).toBe(true)
        const children = run.events.filter((event) => event.agentId !== undefined)
        expect(children.map((event) => event.type)).toEqual([
          'SubagentStart',
          'UserPromptSubmit',
          ...MODEL,
          'PreToolUse',
          'PostToolUse',
          ...MODEL,
          'SubagentStop',
        ])
        expect(new Set(children.map((event) => event.agentId)).size).toBe(1)
        const parents = run.events.filter((event) => event.agentId === undefined).map((event) => event.type)
        expect(without(parents, MODEL)).toEqual(
          turn('PreToolUse', 'PostToolUse', 'PreToolUse', 'PostToolUse'),
        )
      })

      test('a rule reaches the tools of a subagent', async () => {
        const run = await askChild('subagent-deny')
        expect(existsSync(join(run.project, 'by-child'))).toBe(false)
        expect(stage().model.seen('child').at(-1)?.text).toContain('gantry says no to the subagent')
      })
    })

    // `codex exec` never asks, so there is nothing to answer there.
    describe('permissions, in a terminal', () => {
      const escalated = {
        name: 'exec_command',
        input: { cmd: 'touch ran', sandbox_permissions: 'require_escalated', justification: 'May I?' },
      }
      const options = {
        args: [TRUST_HOOKS, '--ask-for-approval', 'on-request', '--sandbox', 'workspace-write'],
      }

      test('allow: the tool runs and nobody is asked', async () => {
        const run = await inTerminal(stage(), 'permission-allow', [{ calls: [escalated] }], options)
        expectClean(run.events, codex)
        expect(existsSync(join(run.project, 'ran'))).toBe(true)
        expect(without(run.types, MODEL)).toEqual(turn('PreToolUse', 'PermissionRequest', 'PostToolUse'))
      })

      test('deny: it does not, and the model is told', async () => {
        const run = await inTerminal(stage(), 'permission-deny', [{ calls: [escalated] }], options)
        expect(existsSync(join(run.project, 'ran'))).toBe(false)
        expect(run.seen[1]?.text).toContain('gantry does not permit it')
      })

      test('no answer: the person is asked as ever', async () => {
        const run = await inTerminal(
          stage(),
          'permission-none',
          [{ calls: [escalated] }],
          options,
          (screen) => screen.answer(/Would you like to run the following command/, 'Enter'),
        )
        expect(existsSync(join(run.project, 'ran'))).toBe(true)
      })
    })
  },
)

describe('codex 0.166.0, trust', () => {
  test('hooks run from the moment the person trusts them', async () => {
    const stage = await openStage(codex)
    try {
      await install(stage)
      await gantry(stage, 'up')
      const before = await stage.ask('untrusted', [{ text: 'Hello.' }], { until: () => true })
      expect(before.exit).toBe(0)
      expect((await stage.gantry('doctor')).stdout).toMatch(/codex.*trust/i)

      const env = { ...stage.env, TMUX_TMPDIR: stage.home }
      const screen = openScreen(codex.interactive({}), { name: 'trust', cwd: stage.project('trust'), env })
      await screen.shows(/Hooks need review/)
      await screen.reach(/› 2. Trust all/, 'Down')
      await screen.answer(/Hooks need review/, 'Enter')
      await screen.shows(READY)
      await screen.end(...codex.goodbye)
      screen.close()

      const after = await stage.ask('trusted', [{ text: 'Hello.' }])
      expect(after.types).toEqual(turn(...MODEL))
      expect(await stage.events('untrusted')).toEqual([])
    } finally {
      await stage.close()
    }
  })
})
