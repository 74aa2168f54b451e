/** Qwen Code 0.24.4, the real program. */
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolCall } from './mock/model.ts'
import { qwen } from './qwen.ts'
import { testRealAgent } from './suite.ts'
import { inTerminal } from './terminal.ts'

const shell = (command: string): ToolCall => ({
  name: 'run_shell_command',
  input: { command, is_background: false },
})
const touch = [{ calls: [shell('touch ran')] }]

testRealAgent(
  {
    driver: qwen,
    shell,
    failing: { name: 'read_file', input: { file_path: '/no/such/file' } },
    anywhere: ['InstructionsLoaded', 'Notification'],
    rewrites: false,
    rewritesAlone: false,
    last: 'Stop', // a headless run ends without a word
    contexts: ['context-with-the-session', 'context-with-the-prompt', 'context-after-the-tool'],
    orders: {
      plain: turn('PreToolUse', 'PostToolUse'),
      failing: turn('PreToolUse', 'PostToolUseFailure'),
      denied: turn('PreToolUse'),
      'stop-block': ['SessionStart', 'UserPromptSubmit', 'Stop', 'UserPromptSubmit', 'Stop'], // with the reason
      'prompt-block': ['SessionStart', 'UserPromptSubmit'],
    },
  },
  (stage) => {
    describe('permissions, in a terminal', () => {
      test('a rule allows: nobody is asked', async () => {
        const run = await inTerminal(stage(), 'permission-allow', touch, { guarded: true })
        expect(existsSync(join(run.project, 'ran'))).toBe(true)
        expect(run.types).toContain('PermissionRequest')
      })

      test('a rule denies: the model is told why', async () => {
        const run = await inTerminal(stage(), 'permission-deny', touch, { guarded: true })
        expect(existsSync(join(run.project, 'ran'))).toBe(false)
        expect(run.seen[1]?.text).toContain('gantry does not permit it')
      })

      test('a rule that wants a person asked gets a real dialog, also with --yolo', async () => {
        const run = await inTerminal(stage(), 'ask', touch, {}, async (screen) => {
          await screen.answer(/gantry wants a person to see this/, 'Enter')
        })
        expect(existsSync(join(run.project, 'ran'))).toBe(true)
      })
    })
  },
)

/** The results of tools go back to the model with a word of their own. */
function turn(...inside: string[]): string[] {
  return ['SessionStart', 'UserPromptSubmit', ...inside, 'PostToolBatch', 'PreModelRequest', 'Stop']
}
