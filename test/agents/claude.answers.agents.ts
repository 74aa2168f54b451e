/** Claude Code 2.1.325 obeys. */
import { testAnswers } from './answers.ts'
import { claude } from './claude.ts'

testAnswers({
  driver: claude,
  shell: (command) => ({ name: 'Bash', input: { command, description: 'a command' } }),
  args: [],
  before: 'PreToolUse',
  askedHeadless: /a person should see this/, // with -p that is a no
  hooksOff: { args: ['--settings', '{"disableAllHooks":true}'] },
})
