/**
 * npm run build:packages [-- linux-x64 …]: dist/packages, everything that is published to npm. `gantry` has the command, the
 * SDK and the docs; `gantry-<platform>` has the one binary. npm installs the one that fits, so nothing is compiled or
 * downloaded by a script. Without arguments all platforms are built, on Linux x64, with tools that come from npm.
 *
 * Exits with 1 if a platform lacks something that the registry does not offer, and says what.
 */
import { chmodSync, cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pkg from '../package.json' with { type: 'json' }
import { messageOf } from '../src/core/errors.ts'
import { buildPage } from './build-page.ts'
import { compile } from './compile.ts'
import { buildClient } from './packages/client.ts'
import { fromNpm, NotOnNpm, run } from './packages/from-npm.ts'
import { noticesText } from './packages/notices.ts'
import {
  BUN_VERSION,
  bunPackage,
  OPENTUI_VERSION,
  ownPlatform,
  PLATFORMS,
  type Platform,
  packageOf,
} from './packages/platforms.ts'

const ROOT = join(import.meta.dir, '..')
const OUT = join(ROOT, 'dist/packages')
const LIMIT_MB = 75 // what one person has to download

const { positionals } = parseArgs({ allowPositionals: true })
const unknown = positionals.filter((id) => !PLATFORMS.some((one) => one.id === id))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(' ')}. Known: ${PLATFORMS.map(({ id }) => id).join(', ')}`)
  process.exit(2)
}
const chosen = PLATFORMS.filter(({ id }) => positionals.length === 0 || positionals.includes(id))

rmSync(OUT, { recursive: true, force: true })
await buildPage()
run(['node', 'scripts/build-sdk.mjs'], { cwd: ROOT })
tell('gantry', mainPackage())
for (const platform of chosen) {
  try {
    const { bytes, lacks } = await platformPackage(platform)
    tell(packageOf(platform), bytes, lacks)
  } catch (error) {
    process.exitCode = 1
    console.log(`${packageOf(platform).padEnd(24)} NOT BUILT: ${messageOf(error)}`)
  }
}

/** What all packages share. */
function manifest(name: string): Record<string, unknown> {
  const { version, license, engines } = pkg
  return { name, version, description: pkg.description, license, engines }
}

function mainPackage(): number {
  const dir = join(OUT, 'gantry')
  const files = ['README.md', 'CHANGELOG.md', 'LICENSE', 'docs', 'dist/sdk']
  for (const file of files) cpSync(join(ROOT, file), join(dir, file), { recursive: true })
  mkdirSync(join(dir, 'bin'))
  cpSync(join(import.meta.dir, 'packages/gantry.sh'), join(dir, 'bin/gantry'))
  chmodSync(join(dir, 'bin/gantry'), 0o755)
  const built = (target: string | Record<string, string>) =>
    typeof target === 'string' ? target : { types: target.types, default: target.default }
  return pack(dir, {
    ...manifest('gantry'),
    type: 'module',
    bin: pkg.bin,
    exports: Object.fromEntries(Object.entries(pkg.exports).map(([path, target]) => [path, built(target)])),
    os: [...new Set(PLATFORMS.map(({ os }) => os))],
    // Only the types of the SDK need it; the program carries what it uses.
    dependencies: { zod: pkg.dependencies.zod },
    optionalDependencies: Object.fromEntries(PLATFORMS.map((one) => [packageOf(one), pkg.version])),
  })
}

async function platformPackage(platform: Platform): Promise<{ bytes: number; lacks: string | undefined }> {
  const { id, os, cpu, libc } = platform
  const dir = join(OUT, packageOf(platform))
  const client = buildClient(platform, join(OUT, 'clients', id))
  const library = libraryOf(id)
  await compile({
    outfile: join(dir, 'bin/gantry'),
    client,
    other: {
      target: `bun-${id}` as Bun.Build.CompileTarget,
      bun:
        id === ownPlatform()?.id
          ? process.execPath
          : join(fromNpm(bunPackage(platform), BUN_VERSION), 'bin/bun'),
      isMusl: libc === 'musl',
      library: library.folder,
    },
  })
  chmodSync(join(dir, 'bin/gantry'), 0o755)
  cpSync(join(ROOT, 'LICENSE'), join(dir, 'LICENSE'))
  writeFileSync(join(dir, 'THIRD-PARTY-NOTICES'), noticesText())
  writeFileSync(join(dir, 'README.md'), `The program of [gantry](../gantry) for ${id}. Install \`gantry\`.\n`)
  const bytes = pack(dir, {
    ...manifest(packageOf(platform)),
    description: `The program of gantry for ${id}`,
    os: [os],
    cpu: [cpu],
    ...(libc ? { libc: [libc] } : {}),
    preferUnplugged: true, // a program cannot be started inside an archive
  })
  return { bytes, lacks: library.lacks }
}

/** What draws the fleet on a terminal. Without it the rest of gantry works. */
function libraryOf(id: string): { folder: string; lacks?: string } {
  const name = `@opentui/core-${id}`
  try {
    return { folder: stripped(fromNpm(name, OPENTUI_VERSION), name) }
  } catch (error) {
    if (!(error instanceof NotOnNpm)) throw error
    return { folder: join('none', name), lacks: `the fleet on a terminal (${messageOf(error)})` }
  }
}

/** Its names for debuggers are four fifths of the library. Programs of other makers than binutils' do not know every format. */
function stripped(folder: string, name: string): string {
  const cpu = name.includes('x64') ? 'x86_64' : 'aarch64'
  const strip = name.includes('linux') && Bun.which(`${cpu}-linux-gnu-strip`)
  if (!strip) return folder
  const own = join(OUT, 'libraries', name)
  cpSync(folder, own, { recursive: true })
  run([strip, join(own, 'libopentui.so')])
  return own
}

/** Returns the size of the tarball. */
function pack(dir: string, contents: Record<string, unknown>): number {
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify(contents, null, 2)}\n`)
  const [packed] = JSON.parse(
    run(['npm', 'pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', OUT], {
      cwd: dir,
    }),
  ) as [{ filename: string }]
  return statSync(join(OUT, packed.filename)).size
}

function tell(name: string, bytes: number, lacks?: string): void {
  const size = `${(bytes / 1e6).toFixed(1)} MB to download`
  const isTooBig = bytes > LIMIT_MB * 1e6
  if (lacks || isTooBig) process.exitCode = 1
  const notes = [isTooBig ? `more than ${LIMIT_MB} MB` : '', lacks ? `WITHOUT ${lacks}` : ''].filter(Boolean)
  console.log(`${name.padEnd(24)} ${[size, ...notes].join('; ')}`)
}
