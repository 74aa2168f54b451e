/** pi 0.87.1, the real program. */
import { turn } from './expect.ts'
import { pi } from './pi.ts'
import { testRealAgent } from './suite.ts'

testRealAgent(
  {
    driver: pi,
    shell: (command) => ({ name: 'bash', input: { command } }),
    failing: { name: 'read', input: { path: '/no/such/file' } },
    anywhere: [],
    rewritesAlone: true,
    contexts: ['context-with-the-session', 'context-with-the-prompt', 'context-after-the-tool'],
    orders: {
      plain: turn('PreToolUse', 'PostToolUse'),
      failing: turn('PreToolUse', 'PostToolUseFailure'),
      denied: turn('PreToolUse'),
      'stop-block': turn('Stop'),
      'prompt-block': ['SessionStart', 'UserPromptSubmit', 'SessionEnd'],
    },
  },
  () => {},
)
