/** Qwen Code 0.24.4. */
import { QWEN } from './cache.ts'
import type { Driver } from './driver.ts'
import { anthropic } from './mock/anthropic.ts'

/** A user's own hook, written as nobody would format it; and what Qwen Code would add by itself. */
const SETTINGS = `{
\t"$version": 4,   "general" : {"enableAutoUpdate": false}, "ui": {"autoModeAcknowledged": true},
  "hooks":{
    "PreToolUse": [ {"matcher": "run_shell_command", "hooks": [{"type": "command", "command": "echo ran >> $HOME/foreign-hook"}]} ]
\t}
}
`

export const qwen: Driver = {
  release: QWEN,
  dialect: anthropic,
  settings: ['.qwen/settings.json'],
  files: () => ({ '.qwen/settings.json': SETTINGS }),
  env: ({ model }) => ({
    ANTHROPIC_API_KEY: 'no-such-key',
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_MODEL: 'mock-model',
    QWEN_TELEMETRY_ENABLED: 'false',
    NO_COLOR: '1',
  }),
  headless: (prompt, { args = [] }) => ['qwen', ...SPEAKS, '--yolo', '-p', prompt, ...args],
  interactive: ({ guarded, args = [] }) => [
    'qwen',
    ...SPEAKS,
    '--approval-mode',
    guarded ? 'default' : 'yolo',
    ...args,
  ],
  goodbye: ['/quit', 'Enter'],
}

const SPEAKS = ['--auth-type', 'anthropic'] as const
