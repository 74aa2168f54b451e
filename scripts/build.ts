/**
 * npm run build: dist/gantry, one file with Bun and everything in it, dist/gantry-hook, the hook client that it also carries,
 * and dist/sdk, the SDK for Node. Builds nothing if all of it is there and made of the same files.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPage, PAGE_ASSETS } from './build-page.ts'
import { compile } from './compile.ts'

const ROOT = join(import.meta.dir, '..')
const DIST = join(ROOT, 'dist')

const TSCONFIGS = ['tsconfig.json', 'tsconfig.sdk.json', 'tsconfig.web.json']
const MADE = [join(DIST, 'gantry'), join(DIST, 'gantry-hook'), PAGE_ASSETS, join(DIST, 'sdk/sdk/index.js')]
/** Says what the build was made of. */
const MARK = join(DIST, '.made-of')

const begun = new Date()
const made = await sources()
if (MADE.every((path) => existsSync(path)) && existsSync(MARK) && readFileSync(MARK, 'utf8') === made) {
  utimesSync(MARK, begun, begun)
  console.log('dist is up to date')
  process.exit(0)
}
rmSync(MARK, { force: true })
mkdirSync(DIST, { recursive: true })
const client = join(DIST, 'gantry-hook')
const native = Bun.spawnSync(['node', 'scripts/build-native.mjs', '--out', client], {
  cwd: ROOT,
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (!native.success) process.exit(1)
await buildPage()
const draft = join(DIST, 'gantry.draft')
await compile({ outfile: draft, client })
renameSync(draft, join(DIST, 'gantry')) // a daemon that runs from here may start helpers at any time
const sdk = Bun.spawnSync(['node', 'scripts/build-sdk.mjs'], {
  cwd: ROOT,
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (!sdk.success) process.exit(1)
for (const name of ['gantry', 'gantry-hook']) {
  console.log(`dist/${name}  ${(Bun.file(join(DIST, name)).size / 1024 / 1024).toFixed(1)} MB`)
}
writeFileSync(MARK, made)
utimesSync(MARK, begun, begun) // bin/gantry looks for files that have changed since

/** A hash over everything that the build reads, and the Bun that is built in. */
async function sources(): Promise<string> {
  const found = new Bun.Glob('{src,native,scripts}/**/*').scan({ cwd: ROOT })
  const paths = [...(await Array.fromAsync(found)), 'package.json', 'package-lock.json', ...TSCONFIGS]
  const hash = new Bun.CryptoHasher('sha256').update(`${Bun.version} ${process.platform} ${process.arch}`)
  for (const path of paths.sort()) hash.update(`\0${path}\0`).update(readFileSync(join(ROOT, path)))
  return hash.digest('hex')
}
