/** Codex 0.166.0 obeys. */
import { testAnswers } from './answers.ts'
import { codex, TRUST_HOOKS } from './codex.ts'

testAnswers({
  driver: codex,
  shell: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  args: [TRUST_HOOKS],
  before: 'PreToolUse',
  askedHeadless: /a person should see this \(Codex cannot ask here, so it was denied\.\)/,
  hooksOff: {}, // nobody has trusted them
})
