/** gantry as a plugin of Claude Code 2.1.325, from a marketplace. */
import { claude } from './claude.ts'
import { runAgent, testPlugin } from './plugin.ts'

testPlugin({
  driver: claude,
  shell: (command) => ({ name: 'Bash', input: { command } }),
  give(stage, folder) {
    runAgent(stage, 'claude', 'plugin', 'validate', folder)
    runAgent(stage, 'claude', 'plugin', 'marketplace', 'add', folder)
    runAgent(stage, 'claude', 'plugin', 'install', 'gantry@gantry')
  },
})
