/** opencode 1.18.33. */
import { OPENCODE } from './cache.ts'
import type { Driver } from './driver.ts'
import { anthropic } from './mock/anthropic.ts'

const CONFIG = '.config/opencode'

export const opencode: Driver = {
  release: OPENCODE,
  dialect: anthropic,
  settings: [`${CONFIG}/opencode.json`, `${CONFIG}/plugins/gantry.js`, `${CONFIG}/plugins/foreign.js`],
  files: ({ model }) => ({
    [`${CONFIG}/opencode.json`]: configFor(model),
    [`${CONFIG}/plugins/foreign.js`]: FOREIGN,
    ...alreadyInstalled(CONFIG, '@opencode-ai/plugin', OPENCODE.version),
  }),
  env: () => ({
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_SHARE: '1',
  }),
  headless: (prompt, { args = [] }) => ['opencode', 'run', '--auto', ...args, prompt],
  interactive: ({ guarded, args = [] }) => ['opencode', ...(guarded ? [] : ['--auto']), ...args],
  goodbye: ['/exit', 'Enter'],
}

/** Somebody else's plugin. */
export const FOREIGN = `import { appendFileSync } from 'node:fs'
export const Foreign = async () => ({
  'tool.execute.before': async () => appendFileSync(process.env.HOME + '/foreign-hook', 'ran\\n'),
})
`

/**
 * At its first start 1.18.33 installs the types of plugins beside its configuration, and waits for that before it loads any
 * plugin: 70 s where there is no network. It takes them for installed when there is such a folder and a lock file
 * that names them.
 */
export function alreadyInstalled(folder: string, types: string, version: string): Record<string, string> {
  const packages = { '': { dependencies: { [types]: version } } }
  return {
    [`${folder}/node_modules/.keep`]: '',
    [`${folder}/package-lock.json`]: JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  }
}

/** Dollars per million tokens, and the size of the context, as a provider of one's own has to say. */
export const MODEL = { inputPrice: 3, cachedPrice: 0.5, outputPrice: 15, context: 100_000 }

/** Commands need a permission, but for `./free.sh`. */
export function configFor(model: string): string {
  return `{
  // a user's own words
  "$schema": "https://opencode.ai/config.json",
  "model": "mock/mock-model",
  "small_model": "mock/mock-model",
  "autoupdate": false,
  "share": "disabled",
  "permission": { "bash": { "*": "ask", "./free.sh *": "allow" } },
  "provider": {
    "mock": {
      "npm": "@ai-sdk/anthropic",
      "name": "mock",
      "options": { "baseURL": "${model}/v1", "apiKey": "no-such-key" },
      "models": {
        "mock-model": {
          "name": "mock-model",
          "limit": { "context": ${MODEL.context}, "output": 8000 },
          "cost": { "input": ${MODEL.inputPrice}, "output": ${MODEL.outputPrice}, "cache_read": ${MODEL.cachedPrice} }
        }
      }
    }
  }
}
`
}
