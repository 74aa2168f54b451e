/** pi 0.87.1. */
import { PI } from './cache.ts'
import type { Driver } from './driver.ts'
import { anthropic } from './mock/anthropic.ts'

const FOLDER = '.pi/agent'

/** Somebody else's extension. */
const FOREIGN = `import { appendFileSync } from 'node:fs'
export default (pi) => pi.on('tool_call', () => appendFileSync(process.env.HOME + '/foreign-hook', 'ran\\n'))
`

const modelsFor = (model: string) =>
  JSON.stringify({
    providers: {
      mock: {
        baseUrl: model,
        api: 'anthropic-messages',
        apiKey: 'no-such-key',
        models: [{ id: 'mock-model' }],
      },
    },
  })

const MODEL = ['--provider', 'mock', '--model', 'mock-model'] as const

export const pi: Driver = {
  release: PI,
  dialect: anthropic,
  settings: [`${FOLDER}/extensions/gantry.js`, `${FOLDER}/extensions/foreign.js`],
  files: ({ model }) => ({
    [`${FOLDER}/models.json`]: modelsFor(model),
    [`${FOLDER}/extensions/foreign.js`]: FOREIGN,
  }),
  env: () => ({ PI_OFFLINE: '1' }),
  headless: (prompt, { args = [] }) => ['pi', ...MODEL, '-p', ...args, prompt],
  interactive: ({ args = [] }) => ['pi', ...MODEL, ...args],
  goodbye: ['/quit', 'Enter'],
}
