/** Factory droid 0.215.0. */
import { DROID } from './cache.ts'
import type { Driver } from './driver.ts'
import { anthropic } from './mock/anthropic.ts'

/** A model of one's own, and a user's own hook, written as nobody would format it. */
const settingsFor = (model: string) => `{
\t"customModels" : [{"model": "mock-model", "displayName": "Mock", "baseUrl": "${model}", "apiKey": "no-such-key", "provider": "anthropic", "maxOutputTokens": 8000}],
  "cloudSessionSync": false,   "enableDroidShield": false,
  "hooks":{
    "PreToolUse": [ {"matcher": "Execute", "hooks": [{"type": "command", "command": "echo ran >> $HOME/foreign-hook"}]} ]
\t}
}
`

/** Its terminal wants a login, which only a network can give: it runs headless here. */
export const droid: Driver = {
  release: DROID,
  dialect: anthropic,
  settings: ['.factory/settings.json'],
  files: ({ model }) => ({ '.factory/settings.json': settingsFor(model) }),
  env: () => ({ FACTORY_API_KEY: 'fk-no-such-key', FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false' }),
  headless: (prompt, { args = [] }) => [
    'droid',
    'exec',
    '--auto',
    'high',
    '-m',
    'custom:Mock-0',
    ...args,
    prompt,
  ],
  interactive: ({ args = [] }) => ['droid', ...args],
  goodbye: ['/quit', 'Enter'],
}
