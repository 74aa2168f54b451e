/**
 * Packages of other platforms, and tools too heavy for every developer's `npm install`: fetched through npm once, checked
 * against a known hash, and unpacked into a cache outside of any checkout.
 *
 *   const bun = join(fromNpm('@oven/bun-linux-aarch64', '1.4.4'), 'bin/bun')
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import lock from '../../package-lock.json' with { type: 'json' }

const ROOT = join(import.meta.dir, '../..')

export class NotOnNpm extends Error {}

export function cacheFolder(): string {
  const base = process.env.XDG_CACHE_HOME
  return join(base && isAbsolute(base) ? base : join(homedir(), '.cache'), 'gantry-build')
}

/** The folder of the package. Without `integrity`, package-lock.json has to know it. */
export function fromNpm(name: string, version: string, integrity = lockedIntegrity(name, version)): string {
  if (integrity === undefined)
    throw new NotOnNpm(`package-lock.json has no ${name}@${version}: the registry did not offer it`)
  // npm has checked what it installed here. Of @oven/bun-* its install script leaves only a shell.
  const here = join(ROOT, 'node_modules', name)
  if (existsSync(here) && !name.startsWith('@oven/')) return here
  const place = join(cacheFolder(), version, name)
  if (existsSync(place)) return place
  mkdirSync(dirname(place), { recursive: true })
  const fresh = mkdtempSync(join(dirname(place), '.fetching-'))
  try {
    const file = packed(name, version, fresh)
    const hash = `sha512-${new Bun.CryptoHasher('sha512').update(readFileSync(file)).digest('base64')}`
    if (hash !== integrity)
      throw new Error(
        `${name}@${version} is not what was expected: ${hash} instead of ${integrity}. Do not use it.`,
      )
    run(['tar', 'xzf', file, '-C', fresh])
    // Most tarballs have one folder, `package`; a few have another name for it.
    const [folder] = readdirSync(fresh, { withFileTypes: true }).filter((one) => one.isDirectory())
    renameSync(join(fresh, folder?.name ?? ''), place)
  } finally {
    rmSync(fresh, { recursive: true })
  }
  return place
}

function lockedIntegrity(name: string, version: string): string | undefined {
  const packages: Record<string, { version?: string; integrity?: string }> = lock.packages
  const found = packages[`node_modules/${name}`]
  return found?.version === version ? found.integrity : undefined
}

function packed(name: string, version: string, into: string): string {
  const flags = ['--pack-destination', into, '--loglevel=error']
  run(['npm', 'pack', `${name}@${version}`, ...flags])
  const file = readdirSync(into).find((one) => one.endsWith('.tgz'))
  if (file === undefined) throw new NotOnNpm(`npm has no ${name}@${version}`)
  return join(into, file)
}

/** Runs a tool that must not fail. */
export function run(
  argv: string[],
  options: { cwd?: string; env?: Record<string, string | undefined> } = {},
): string {
  const child = Bun.spawnSync(argv, { stdin: 'ignore', ...options })
  if (!child.success)
    throw new Error(`${argv.join(' ')} failed:\n${child.stdout.toString()}${child.stderr.toString()}`)
  return child.stdout.toString()
}
