/**
 * Builds dist/sdk: the SDK as plain JavaScript with its types, which Node and TypeScript get for `gantry/sdk`; Bun runs
 * the source. Part of `npm install` in a checkout, of `npm pack` and of `npm run build`. It compiles with Node's types
 * only, so that no Bun API can slip in.
 *
 *   node scripts/build-sdk.mjs [--out folder]
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values } = parseArgs({ options: { out: { type: 'string' } } })
const out = values.out ? resolve(values.out) : join(root, 'dist/sdk')
const draft = `${out}.${process.pid}.tmp`
const compiler = join(root, 'node_modules/.bin/tsc')

if (existsSync(compiler)) build()
else {
  console.log('gantry: TypeScript is not installed, so the SDK for Node was not built. Run: npm install')
  // An install without development tools is fine; a package without its SDK is not.
  process.exitCode = ['pack', 'publish'].includes(process.env.npm_command ?? '') ? 1 : 0
}

function build() {
  mkdirSync(dirname(out), { recursive: true })
  const project = join(root, 'tsconfig.sdk.json')
  const made = spawnSync(compiler, ['-p', project, '--outDir', draft], { cwd: root, encoding: 'utf8' })
  if (made.status !== 0) {
    rmSync(draft, { recursive: true, force: true })
    console.error(`gantry: the SDK was not built.\n${made.stdout}${made.stderr}`)
    process.exitCode = 1
    return
  }
  rmSync(out, { recursive: true, force: true })
  renameSync(draft, out)
}
