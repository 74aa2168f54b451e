/** Gemini CLI 0.61.0. */
import { GEMINI } from './cache.ts'
import type { Driver } from './driver.ts'
import { gemini as dialect } from './mock/gemini.ts'
import type { ToolCall } from './mock/model.ts'

/** Runs a command. */
export const shell = (command: string): ToolCall => ({ name: 'run_shell_command', input: { command } })

const SETTINGS = `{
  // a user's own words
  "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false },
  "hooks": {
    "BeforeTool": [ {"matcher": "run_shell", "hooks": [{"type": "command", "command": "echo ran >> $HOME/foreign-hook"}]} ]
  }
}
`

/** What each of its sub-agents has to call so that it is done. */
const RESULTS = {
  codebase_investigator: {
    report: { SummaryOfFindings: 'all is well', ExplorationTrace: ['a look'], RelevantLocations: [] },
  },
  generalist: { result: { response: 'all is well' } },
} as const

export type SubagentKind = keyof typeof RESULTS

/** A sub-agent that plays the script. */
export function invokeAgent(kind: SubagentKind, script: string): ToolCall {
  return { name: 'invoke_agent', input: { agent_name: kind, prompt: `look around [[s:${script}]]` } }
}

export function completeTask(kind: SubagentKind): ToolCall {
  return { name: 'complete_task', input: RESULTS[kind] }
}

export const gemini: Driver = {
  release: GEMINI,
  dialect,
  settings: ['.gemini/settings.json'],
  files: () => ({ '.gemini/settings.json': SETTINGS }),
  env: ({ model }) => ({
    GEMINI_API_KEY: 'no-such-key',
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
    NO_COLOR: '1',
  }),
  headless: (prompt, { args = [] }) => ['gemini', '--yolo', '-p', prompt, ...args],
  interactive: ({ guarded, args = [] }) => ['gemini', ...(guarded ? [] : ['--yolo']), ...args],
  goodbye: ['/quit', 'Enter'],
}
