/** The files by which others find the daemon, and the permissions they must have. */
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { GantryError, messageOf } from '../errors.ts'
import { randomText } from '../random.ts'
import type { Places } from './paths.ts'

/** Makes gantry's folders, private to this user. Throws with the name of the folder that cannot be used. */
export function makeFolders(places: Places): void {
  for (const dir of new Set([places.config, places.state, places.run, places.spool])) {
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      const stat = statSync(dir)
      if (stat.uid !== process.getuid?.()) {
        throw new GantryError(
          'PERMISSION',
          `${dir} belongs to another user. Set GANTRY_HOME to a folder of yours.`,
        )
      }
      if ((stat.mode & 0o077) !== 0) chmodSync(dir, 0o700)
      accessSync(dir, constants.W_OK) // also detects a read-only mount
    } catch (cause) {
      if (cause instanceof GantryError) throw cause
      const fix = 'Make it writable, or set GANTRY_HOME to a folder that is.'
      throw new GantryError('PERMISSION', `Cannot use ${dir}: ${messageOf(cause)}. ${fix}`, { cause })
    }
  }
}

/** The HTTP token. It is made once and kept, because agents' settings refer to it. */
export function readOrMakeToken(path: string): string {
  const known = readToken(path)
  if (known !== undefined) return known
  const token = randomText(32, 'base64url')
  writeAtomic(path, `${token}\n`)
  return token
}

/** A token that was made; undefined without one. */
export function readToken(path: string): string | undefined {
  try {
    const token = readFileSync(path, 'utf8').trim()
    if (!/^[A-Za-z0-9_-]{32,}$/.test(token)) return undefined
    chmodSync(path, 0o600)
    return token
  } catch {
    return undefined
  }
}

/**
 * Writes a file atomically and readable by this user alone. Never writes through a file or link that stands in place of the
 * draft.
 */
export function writeAtomic(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`
  try {
    rmSync(draft, { force: true })
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Clients that see another XDG_RUNTIME_DIR find the socket through the state folder. */
export function linkSocket(places: Places): void {
  if (places.socketLink === places.socket) return
  unlinkSocket(places)
  symlinkSync(places.socket, places.socketLink)
}

export function unlinkSocket(places: Places): void {
  if (places.socketLink === places.socket) return
  if (lstatSync(places.socketLink, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(places.socketLink)
}
