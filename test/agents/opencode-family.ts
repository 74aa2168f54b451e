/** What opencode does, and what is built on it: a subject for the suites. */
import type { Driver } from './driver.ts'
import { turn } from './expect.ts'
import type { ToolCall } from './mock/model.ts'
import type { Subject } from './suite.ts'

export const shell = (command: string): ToolCall => ({
  name: 'bash',
  input: { command, description: 'a command' },
})

/** What its bus says besides, in no fixed order. */
const BUS = [
  ...['SessionUpdated', 'SessionStatus', 'SessionDiff', 'TextComplete'],
  ...['MessageUpdated', 'MessagePartUpdated', 'MessagePartDelta', 'FileEdited', 'FileWatcherUpdated'],
  // `--auto` answers it at once.
  ...['PermissionRequest', 'PermissionReplied'],
]

export function subjectOf(driver: Driver, alsoOnItsBus: readonly string[] = []): Subject {
  return {
    driver,
    shell,
    failing: { name: 'read', input: { filePath: '/no/such/file' } },
    anywhere: [...BUS, ...alsoOnItsBus],
    rewritesAlone: true,
    refusedExit: 1, // it takes the refusal for an error of its own
    contexts: [
      'context-with-the-session',
      'context-with-the-prompt',
      'context-before-the-tool',
      'context-after-the-tool',
    ],
    orders: {
      plain: turn('PreToolUse', 'PostToolUse'),
      failing: turn('PreToolUse', 'PostToolUseFailure'),
      denied: turn('PreToolUse', 'PostToolUseFailure'),
      'prompt-block': ['SessionStart', 'UserPromptSubmit', 'SessionEnd'],
    },
  }
}
