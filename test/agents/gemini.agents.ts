/** Gemini CLI 0.61.0, the real program. */
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expectClean, turn, without } from './expect.ts'
import { gemini, shell } from './gemini.ts'
import { testRealAgent } from './suite.ts'
import { inTerminal } from './terminal.ts'

testRealAgent(
  {
    driver: gemini,
    shell,
    failing: { name: 'read_file', input: { file_path: 'no-such-file' } },
    anywhere: [],
    rewritesAlone: true,
    // 0.61.0 takes no context with BeforeTool.
    contexts: ['context-with-the-session', 'context-with-the-prompt', 'context-after-the-tool'],
    orders: {
      plain: turn('PreToolUse', 'PostToolUse'),
      failing: turn('PreToolUse', 'PostToolUseFailure'),
      denied: turn('PreToolUse'),
      'stop-block': turn('Stop', 'UserPromptSubmit'), // the reason comes back as a prompt
      'prompt-block': ['SessionStart', 'UserPromptSubmit', 'SessionEnd'],
    },
  },
  (stage) => {
    // Hooks cannot answer Gemini's dialog; they hear of it.
    describe('permissions, in a terminal', () => {
      test('the person is asked, and gantry knows it', async () => {
        const run = await inTerminal(
          stage(),
          'permission-none',
          [{ calls: [shell('touch ran')] }],
          { guarded: true },
          async (screen) => {
            await screen.shows(/Allow execution/)
            const asked = await stage().events('permission-none')
            expect(asked.at(-1)).toMatchObject({
              type: 'Notification',
              tool: { name: 'run_shell_command' },
            })
            await screen.answer(/Allow execution/, 'Enter')
          },
        )
        expectClean(run.events, gemini)
        expect(existsSync(join(run.project, 'ran'))).toBe(true)
        expect(without(run.types, ['SessionEnd'])).toEqual(
          without(turn('PreToolUse', 'Notification', 'PostToolUse'), ['SessionEnd']),
        )
      })
    })
  },
)
