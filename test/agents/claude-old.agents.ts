/** Claude Code 2.0.77, the real program: twelve events, and settings that one unknown name would void. */
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bash, oldClaude } from './claude.ts'
import { expectClean, turn, without } from './expect.ts'
import { testRealAgent } from './suite.ts'
import { inTerminal } from './terminal.ts'

/** It warms up three subagents at every start, which report whenever they are done, and draws its status line. */
const ANYWHERE = ['SubagentStart', 'SubagentStop', 'StatusLine']

testRealAgent(
  {
    driver: oldClaude,
    shell: bash,
    failing: bash('exit 3'),
    anywhere: ANYWHERE,
    rewritesAlone: false,
    // 2.0.77 has no word for context in its answer to PreToolUse.
    contexts: ['context-with-the-session', 'context-with-the-prompt', 'context-after-the-tool'],
    orders: {
      plain: turn('PreToolUse', 'PostToolUse'),
      failing: turn('PreToolUse', 'PostToolUseFailure'),
      denied: turn('PreToolUse'),
      'stop-block': turn('Stop'),
      'prompt-block': ['SessionStart', 'UserPromptSubmit', 'SessionEnd'],
    },
  },
  (stage) => {
    test('a subagent has a start and a stop under one id', async () => {
      const spawn = {
        name: 'Task',
        input: { description: 'a job', prompt: 'do it [[s:child]]', subagent_type: 'general-purpose' },
      }
      stage().model.play('child', [{ calls: [bash('touch by-child')] }, { text: 'Child done.' }])
      const run = await stage().ask('subagent', [{ calls: [spawn] }, { text: 'Parent done.' }])
      expectClean(run.events, oldClaude)
      expect(existsSync(join(run.project, 'by-child'))).toBe(true)
      expect(without(run.types, ANYWHERE)).toEqual(
        turn('PreToolUse', 'PreToolUse', 'PostToolUse', 'PostToolUse'),
      )
      const start = run.events.find((event) => event.agentType === 'general-purpose')
      const stop = run.events.find(
        (event) => event.type === 'SubagentStop' && event.agentId === start?.agentId,
      )
      expect(start?.agentId).toBeString()
      expect(stop).toBeDefined()
    })

    describe('permissions, in a terminal', () => {
      const turns = [{ calls: [bash('touch ran')] }]

      test('allow: the tool runs and nobody is asked', async () => {
        const run = await inTerminal(stage(), 'permission-allow', turns, { guarded: true })
        expectClean(run.events, oldClaude)
        expect(existsSync(join(run.project, 'ran'))).toBe(true)
        expect(without(run.types, ANYWHERE)).toEqual(turn('PreToolUse', 'PermissionRequest', 'PostToolUse'))
      })

      test('deny: it does not, and the model is told', async () => {
        const run = await inTerminal(stage(), 'permission-deny', turns, { guarded: true })
        expect(existsSync(join(run.project, 'ran'))).toBe(false)
        expect(run.seen[1]?.text).toContain('gantry does not permit it')
      })
    })
  },
)
