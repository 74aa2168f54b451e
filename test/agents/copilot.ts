/** GitHub Copilot CLI 1.0.102. No account: its own words for a provider of one's own. */
import { COPILOT } from './cache.ts'
import type { Driver } from './driver.ts'
import type { ToolCall } from './mock/model.ts'
import { responses } from './mock/responses.ts'

const HOOKS = `{"version": 1, "hooks":
  {"preToolUse": [ {"type": "command", "bash": "echo ran >> $HOME/foreign-hook", "timeoutSec": 20} ]}}
`

/** A call of the tool that runs commands. */
export const shell = (command: string): ToolCall => ({
  name: 'bash',
  input: { command, description: 'd', mode: 'sync' },
})

/** A sub-agent that is waited for, and plays this script. */
export const task = (script: string): ToolCall => ({
  name: 'task',
  input: {
    description: 'look',
    prompt: `look around [[s:${script}]]`,
    agent_type: 'explore',
    name: 'looker',
    mode: 'sync',
  },
})

export const copilot: Driver = {
  release: COPILOT,
  dialect: responses,
  settings: ['.copilot/hooks/mine.json', '.copilot/hooks/gantry.json'],
  files: ({ home }) => ({
    '.copilot/hooks/mine.json': HOOKS,
    '.copilot/config.json': JSON.stringify({ trustedFolders: [`${home}/work`] }),
  }),
  env: ({ model }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_WIRE_API: 'responses',
    COPILOT_MODEL: 'gpt-5.5',
    SHELL: '/bin/sh',
  }),
  headless: (prompt, { args = [] }) => ['copilot', '-p', prompt, '--allow-all', ...args],
  interactive: ({ guarded, args = [] }) => ['copilot', ...(guarded ? [] : ['--allow-all']), ...args],
  goodbye: ['/exit', 'Enter'],
}
