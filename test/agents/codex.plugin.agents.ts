/** gantry as a plugin of Codex 0.166.0, from a marketplace. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codex, TRUST_HOOKS } from './codex.ts'
import { runAgent, testPlugin } from './plugin.ts'

testPlugin({
  driver: codex,
  shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
  args: [TRUST_HOOKS],
  give(stage, folder) {
    const config = join(stage.home, '.codex/config.toml')
    writeFileSync(config, readFileSync(config, 'utf8').replace('\nplugins = false', '\nplugins = true'))
    runAgent(stage, 'codex', 'plugin', 'marketplace', 'add', folder)
    runAgent(stage, 'codex', 'plugin', 'add', 'gantry@gantry')
  },
})
