/** GitHub Copilot CLI 1.0.102, the real program. */
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { copilot, shell } from './copilot.ts'
import { expectClean, turn, without } from './expect.ts'
import { testRealAgent } from './suite.ts'
import { inTerminal } from './terminal.ts'

/** Comes after every prompt, before the rules, and when it finds the time. */
const ANYWHERE = ['UserPromptTransformed', 'PermissionRequest', 'Notification']

testRealAgent(
  {
    driver: copilot,
    shell,
    failing: { name: 'view', input: { path: '/no/such/file' } },
    anywhere: ANYWHERE,
    rewritesAlone: true,
    refusedExit: 1,
    contexts: [
      'context-with-the-session',
      'context-with-the-prompt',
      'context-before-the-tool',
      'context-after-the-tool',
    ],
    orders: {
      plain: turn('PreToolUse', 'PostToolUse'),
      failing: turn('PreToolUse', 'PostToolUseFailure'),
      denied: turn('PreToolUse'),
      'stop-block': turn('Stop', 'UserPromptSubmit'), // the reason comes back as a prompt
      'prompt-block': ['SessionStart', 'UserPromptSubmit', 'SessionEnd'],
    },
  },
  (stage) => {
    describe('permissions, in a terminal', () => {
      test('the person is asked, and gantry knows it', async () => {
        const run = await inTerminal(
          stage(),
          'permission-none',
          [{ calls: [shell('touch ran')] }],
          { guarded: true },
          async (screen) => {
            await screen.shows(/Do you want/)
            const asked = await stage().events('permission-none')
            expect(asked.find(({ type }) => type === 'PermissionRequest')).toMatchObject({
              tool: { name: 'bash', input: { command: 'touch ran' } },
            })
            await screen.answer(/Do you want/, 'Enter')
          },
        )
        expectClean(run.events, copilot)
        expect(existsSync(join(run.project, 'ran'))).toBe(true)
        const hooks = run.events.filter(({ transport }) => transport !== 'healer').map(({ type }) => type)
        expect(without(hooks, [...ANYWHERE, 'SessionEnd'])).toEqual(
          without(turn('PreToolUse', 'PostToolUse'), ['SessionEnd']),
        )
      })

      test('a rule that wants a person asked gets a real dialog', async () => {
        const run = await inTerminal(stage(), 'ask', [{ calls: [shell('touch ran')] }], {}, (screen) =>
          screen.answer(/Do you want/, 'Enter'),
        )
        expect(existsSync(join(run.project, 'ran'))).toBe(true)
      })
    })
  },
)
