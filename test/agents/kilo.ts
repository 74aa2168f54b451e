/** Kilo Code 7.7.7, which is built on opencode. */
import { KILO } from './cache.ts'
import type { Driver } from './driver.ts'
import { anthropic } from './mock/anthropic.ts'
import { alreadyInstalled, configFor, FOREIGN } from './opencode.ts'

const CONFIG = '.config/kilo'

export const kilo: Driver = {
  release: KILO,
  dialect: anthropic,
  settings: [`${CONFIG}/kilo.json`, `${CONFIG}/plugins/gantry.js`, `${CONFIG}/plugins/foreign.js`],
  files: ({ model }) => ({
    [`${CONFIG}/kilo.json`]: configFor(model),
    [`${CONFIG}/.bash-permission-migrated`]: '', // it would write to kilo.json
    [`${CONFIG}/plugins/foreign.js`]: FOREIGN,
    ...alreadyInstalled(CONFIG, '@kilocode/plugin', KILO.version),
  }),
  env: () => ({
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_CODEBASE_INDEXING: '1',
    KILO_DISABLE_DEFAULT_PLUGINS: '1',
    KILO_DISABLE_LSP_DOWNLOAD: '1',
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_PRESENCE: '1',
    KILO_DISABLE_SESSION_INGEST: '1',
    KILO_DISABLE_SHARE: '1',
    KILO_NO_DAEMON: '1',
    KILO_TELEMETRY_LEVEL: 'off',
  }),
  headless: (prompt, { args = [] }) => ['kilo', 'run', '--auto', ...args, prompt],
  interactive: ({ args = [] }) => ['kilo', ...args],
  goodbye: ['/exit', 'Enter'],
}
