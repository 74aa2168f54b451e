/**
 * npm run build: dist/gantry, one file with Bun and everything in it, dist/gantry-hook beside it, and dist/sdk, the SDK
 * for Node.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildPage, PAGE_ASSETS } from './build-page.ts'

const ROOT = join(import.meta.dir, '..')
const DIST = join(ROOT, 'dist')

for (const name of ['gantry', 'gantry-hook']) rmSync(join(DIST, name), { force: true })
mkdirSync(DIST, { recursive: true })
/** opentui imports the library of every platform; npm installed only the one of this platform. */
const PLATFORMS =
  'linux-x64 linux-arm64 linux-x64-musl linux-arm64-musl darwin-x64 darwin-arm64 win32-x64 win32-arm64'
const libraries = PLATFORMS.split(' ').map((platform) => `@opentui/core-${platform}`)
const elsewhere = libraries.filter((name) => !existsSync(join(ROOT, 'node_modules', name)))

await buildPage()
const built = await Bun.build({
  // The second is the background thread. The third is embedded as it is; server/page/assets.ts finds it there.
  entrypoints: [join(ROOT, 'src/cli/main.ts'), join(ROOT, 'src/daemon/background/thread.ts'), PAGE_ASSETS],
  root: ROOT,
  loader: { '.assets': 'file' },
  // gantry is started inside repositories: it must not load their files.
  compile: { outfile: join(DIST, 'gantry'), autoloadDotenv: false, autoloadBunfig: false },
  minify: { syntax: true, whitespace: true },
  bytecode: true,
  // A command loads only its own modules: 16 ms of processor time for `gantry status` instead of 28.
  splitting: true,
  format: 'esm',
  external: elsewhere,
  sourcemap: 'linked',
})
if (!built.success) {
  for (const line of built.logs) console.error(line)
  process.exit(1)
}
for (const { kind, path } of built.outputs) if (kind === 'sourcemap') rmSync(path) // they are embedded in the program
const native = Bun.spawnSync(['node', 'scripts/build-native.mjs', '--out', join(DIST, 'gantry-hook')], {
  cwd: ROOT,
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (!native.success) process.exit(1)
const sdk = Bun.spawnSync(['node', 'scripts/build-sdk.mjs'], {
  cwd: ROOT,
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (!sdk.success) process.exit(1)
for (const name of ['gantry', 'gantry-hook']) {
  console.log(`dist/${name}  ${(Bun.file(join(DIST, name)).size / 1024 / 1024).toFixed(1)} MB`)
}
