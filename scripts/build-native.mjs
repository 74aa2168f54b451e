/**
 * Builds bin/gantry-hook from native/gantry-hook.c after `npm install`. Static with musl if possible, since that starts
 * twice as fast. Without a C compiler, bin/gantry-hook becomes a launcher of the TypeScript client, which behaves the
 * same, so an install never fails for lack of a compiler.
 *
 *   node scripts/build-native.mjs [--out path] [--sanitize]
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const LAUNCHER = `#!/bin/sh
# Stands in for the native hook client, which needs a C compiler: the TypeScript one does the same, only slower.
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in /*) self=$target ;; *) self=\${self%/*}/$target ;; esac
done
exec "\${self%/*}/gantry" hook "$@"
`

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values } = parseArgs({ options: { out: { type: 'string' }, sanitize: { type: 'boolean' } } })
const out = values.out ? resolve(values.out) : join(root, 'bin/gantry-hook')
const draft = `${out}.${process.pid}.tmp`

try {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  mkdirSync(dirname(out), { recursive: true })
  if (!compilers(values.sanitize).some((compiler) => isBuilt(compiler, version))) {
    if (values.sanitize) throw new Error('cc with its sanitizers is missing')
    writeFileSync(draft, LAUNCHER)
    chmodSync(draft, 0o755)
    console.log('gantry: no C compiler found, so hooks run the TypeScript client (same behaviour, slower).')
  }
  renameSync(draft, out)
} catch (error) {
  if (existsSync(draft)) rmSync(draft)
  console.log(`gantry: ${out} was not built (${error instanceof Error ? error.message : error}).`)
  // A test requests the sanitizer build, and must know if it fails.
  process.exitCode = values.sanitize ? 1 : 0
}

function compilers(sanitize) {
  const strict = ['-O2', '-std=c11', '-Wall', '-Wextra', '-Werror']
  const sanitizers = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-g']
  if (sanitize) return [['cc', ...strict, ...sanitizers]]
  return [
    ['musl-gcc', '-static', ...strict],
    ['cc', ...strict],
  ]
}

/** A client that compiles but does not run, for example for another machine, counts as not built. */
function isBuilt([compiler, ...flags], version) {
  const source = join(root, 'native/gantry-hook.c')
  const made = spawnSync(compiler, [...flags, `-DGANTRY_VERSION="${version}"`, '-o', draft, source])
  if (made.status !== 0) return false
  return spawnSync(draft, ['--version'], { encoding: 'utf8' }).stdout === `gantry-hook ${version}\n`
}
