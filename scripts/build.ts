/**
 * npm run build: dist/gantry, one file with Bun and everything in it, dist/gantry-hook, the hook client that it also carries,
 * and dist/sdk, the SDK for Node.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildPage } from './build-page.ts'
import { compile } from './compile.ts'

const ROOT = join(import.meta.dir, '..')
const DIST = join(ROOT, 'dist')

for (const name of ['gantry', 'gantry-hook']) rmSync(join(DIST, name), { force: true })
mkdirSync(DIST, { recursive: true })
const client = join(DIST, 'gantry-hook')
const native = Bun.spawnSync(['node', 'scripts/build-native.mjs', '--out', client], {
  cwd: ROOT,
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (!native.success) process.exit(1)
await buildPage()
await compile({ outfile: join(DIST, 'gantry'), client })
const sdk = Bun.spawnSync(['node', 'scripts/build-sdk.mjs'], {
  cwd: ROOT,
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (!sdk.success) process.exit(1)
for (const name of ['gantry', 'gantry-hook']) {
  console.log(`dist/${name}  ${(Bun.file(join(DIST, name)).size / 1024 / 1024).toFixed(1)} MB`)
}
