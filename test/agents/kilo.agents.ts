/** Kilo Code 7.7.7, the real program, with opencode's plugin in it. */
import { kilo } from './kilo.ts'
import { testRealAgent } from './suite.ts'

/** What its bus says besides, in no fixed order. */
const BUS = [
  ...['SessionUpdated', 'SessionStatus', 'SessionDiff', 'SessionDrained', 'TextComplete'],
  ...[
    'MessageUpdated',
    'MessagePartUpdated',
    'MessagePartDelta',
    'MessagePartRemoved',
    'FileEdited',
    'FileWatcherUpdated',
  ],
  ...['PermissionRequest', 'PermissionReplied'],
]

testRealAgent(
  {
    driver: kilo,
    shell: (command) => ({ name: 'bash', input: { command, description: 'a command' } }),
    failing: { name: 'read', input: { filePath: '/no/such/file' } },
    anywhere: BUS,
    rewritesAlone: true,
    isPartlyRecorded: true, // no failing tool
    refusedExit: 1, // as opencode, it takes the refusal for an error of its own
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
  },
  () => {},
)

function turn(...inside: string[]): string[] {
  return ['SessionStart', 'UserPromptSubmit', ...inside, 'Stop', 'SessionEnd']
}
