/** gantry as an extension of Gemini CLI 0.61.0. */
import { gemini } from './gemini.ts'
import { runAgent, testPlugin } from './plugin.ts'

testPlugin({
  driver: gemini,
  shell: (command) => ({ name: 'run_shell_command', input: { command } }),
  give: (stage, folder) => runAgent(stage, 'gemini', 'extensions', 'install', folder, '--consent'),
})
