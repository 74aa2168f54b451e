/** Factory droid 0.215.0, the real program. */
import { droid } from './droid.ts'
import { testRealAgent } from './suite.ts'

testRealAgent(
  {
    driver: droid,
    shell: (command) => ({
      name: 'Execute',
      input: { command, summary: 'as told', riskLevel: 'low', riskLevelReason: 'a test' },
    }),
    failing: { name: 'Read', input: { file_path: '/no/such/file' } },
    anywhere: [],
    rewritesAlone: true,
    contexts: ['context-with-the-session', 'context-after-the-tool'],
    // `droid exec` says nothing of its prompt, and nothing of a call that failed.
    orders: {
      plain: turn('PreToolUse', 'PostToolUse'),
      failing: turn('PreToolUse'),
      denied: turn('PreToolUse'),
      'stop-block': turn('Stop'),
    },
  },
  () => {},
)

function turn(...inside: string[]): string[] {
  return ['SessionStart', ...inside, 'Stop', 'SessionEnd']
}
