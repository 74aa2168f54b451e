/** Gemini CLI 0.61.0. */
import { GEMINI } from './cache.ts'
import type { Driver } from './driver.ts'
import { gemini as dialect } from './mock/gemini.ts'

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
