/** gantry as a plugin of opencode 1.18.33, named in its configuration. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { opencode } from './opencode.ts'
import { testPlugin } from './plugin.ts'

testPlugin({
  driver: opencode,
  shell: (command) => ({ name: 'bash', input: { command, description: 'as told' } }),
  give(stage, folder) {
    const config = join(stage.home, '.config/opencode/opencode.json')
    const named = `"plugin": ["${join(folder, 'gantry.js')}"],\n  "model"`
    writeFileSync(config, readFileSync(config, 'utf8').replace('"model"', named))
  },
})
