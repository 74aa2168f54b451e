/**
 * The hook client that agents start: a copy at a stable path outside of any checkout, replaced in place by upgrades.
 * Beside it is a launcher of the installing gantry, which the client uses to start the daemon.
 */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { Env, HookClient } from '../agents/index.ts'
import { LOADS_CODE } from '../client/kept-environment.ts'
import { GantryError } from '../core/errors.ts'
import { homeOf, type Places, pinnedHome } from '../core/files/paths.ts'
import { embeddedPath } from '../core/processes/embedded.ts'
import { run } from '../core/processes/exec.ts'
import { isCompiled, selfPath } from '../core/processes/self.ts'
import { quoted } from '../core/text/text.ts'
import { dropDrafts, removeFolders, removeIfThere, replaceFile } from './files.ts'

const EXECUTABLE = 0o700
const TRIAL_MS = 5_000 // the TypeScript client takes a second on a busy machine

/** Marks of a launcher that found no gantry, before and after a person was told. */
const GONE = ['gone', 'gone.said']

export type ClientState = 'missing' | 'outdated' | 'current'

export function installedClient(places: Places, env: Env): HookClient {
  const path = join(binFolder(places, env), 'gantry-hook')
  const home = pinnedHome(places)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  if (/[\\\u0000-\u001f]/.test(path + home)) {
    throw new GantryError(
      'BAD_CONFIG',
      `No shell command can name ${JSON.stringify(path)} and ${JSON.stringify(home)} safely. Use a folder without backslashes: GANTRY_HOME=/some/where`,
    )
  }
  return { path, home }
}

function binFolder(places: Places, env: Env): string {
  if (places.home !== undefined) return join(places.home, 'bin')
  const data = env.XDG_DATA_HOME
  return join(data && isAbsolute(data) ? data : join(homeOf(env), '.local/share'), 'gantry/bin')
}

/** The client that belongs to the running gantry: inside the one binary, or in the checkout. Only its bytes are of use. */
export function ownClient(): string | undefined {
  if (isCompiled()) return embeddedPath(/(^|\/)gantry-hook[^/]*\.client$/)
  const path = join(import.meta.dir, '../../bin/gantry-hook')
  return existsSync(path) ? path : undefined
}

export function clientState(client: HookClient): ClientState {
  if (!existsSync(client.path)) return 'missing'
  const same = parts(client).every(({ path, bytes }) => existsSync(path) && readFileSync(path).equals(bytes))
  return same && (statSync(client.path).mode & 0o100) !== 0 ? 'current' : 'outdated'
}

/** Writes both files atomically, then runs the client for its version, because in an agent it would fail silently. */
export async function installClient(client: HookClient): Promise<void> {
  mkdirSync(dirname(client.path), { recursive: true, mode: 0o700 })
  for (const { path, bytes } of parts(client)) replaceFile(path, bytes, { mode: EXECUTABLE })
  for (const name of GONE) removeIfThere(join(dirname(client.path), name))
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' }
  const { stdout } = await run([client.path, '--version'], { env, timeoutMs: TRIAL_MS })
  if (stdout.startsWith('gantry')) return
  throw new GantryError(
    'START_FAILED',
    `The hook client ${client.path} does not run. Its folder may be mounted noexec: set GANTRY_HOME to another one.`,
  )
}

/** Also removes the folders that are then empty: bin, and the one named gantry around it. */
export function removeClient(client: HookClient): boolean {
  const bin = dirname(client.path)
  const wasThere = existsSync(client.path)
  for (const name of ['gantry-hook', 'gantry', ...GONE]) {
    dropDrafts(join(bin, name))
    removeIfThere(join(bin, name))
  }
  removeFolders(client.home === dirname(bin) ? [bin] : [dirname(bin), bin])
  return wasThere
}

function parts(client: HookClient): { path: string; bytes: Buffer }[] {
  const source = ownClient()
  if (source === undefined) {
    throw new GantryError('START_FAILED', 'This gantry was built without its hook client. Run: npm install')
  }
  return [
    { path: join(dirname(client.path), 'gantry'), bytes: Buffer.from(launcher()) },
    { path: client.path, bytes: readFileSync(source) },
  ]
}

function launcher(): string {
  const gantry = selfPath()
  return `#!/bin/sh
# Starts the gantry that wrote this ("gantry install"), or the one on PATH. Without either it leaves a mark, and the hook
# client says so once.
# What has Bun load code comes from projects, where agents run.
unset ${LOADS_CODE.join(' ')}
gone=\${0%/*}/gone
start() {
  if [ -e "$gone" ] || [ -e "$gone.said" ]; then rm -f "$gone" "$gone.said"; fi
  exec "$@"
}
[ -x ${quoted(gantry)} ] && start ${quoted(gantry)} "$@"
other=$(command -v gantry) && [ ! "$other" -ef "$0" ] && start "$other" "$@"
[ -e "$gone" ] || [ -e "$gone.said" ] || { : >"$gone" && chmod 700 "$gone"; } 2>/dev/null
exit 0
`
}
