/**
 * Tells which paths are on a local disk, where file access takes microseconds. A network mount may never answer, not even a
 * stat, and the daemon has one thread. So the kernel's mount table decides. Links are followed one by one, and nothing
 * beyond a remote mount is ever touched.
 */
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, normalize } from 'node:path'

const ON_DISK: ReadonlySet<string> = new Set([
  'ext2',
  'ext3',
  'ext4',
  'xfs',
  'btrfs',
  'tmpfs',
  'ramfs',
  'overlay',
  'zfs',
  'f2fs',
  'bcachefs',
])
const KNOWN_MS = 10_000 // mounts and links change; reading a table of hundreds takes a millisecond
const MAX_KNOWN = 5_000
const MAX_PATH_CHARS = 4096 // the kernel's PATH_MAX
const MAX_LINKS = 40 // the kernel's own limit

interface Resolved {
  /** The path without links, as far as it exists. */
  readonly real: string
  readonly isLocal: boolean
}

const FAR: Resolved = { real: '', isLocal: false }

export class LocalFolders {
  readonly #table: string
  #known = new Map<string, Resolved>()
  #mounts: ReadonlyMap<string, boolean> = new Map()
  #readAt = Number.NEGATIVE_INFINITY

  /** `table`: this process's mount table. Nothing is local on systems without one. */
  constructor(table = '/proc/self/mountinfo') {
    this.#table = table
  }

  /** Whether the path is local after its links are followed. */
  has(path: string): boolean {
    return this.#resolved(path).isLocal
  }

  /** Without links, as far as it is there; nothing where a part of it is not local. */
  real(path: string): string | undefined {
    const { real, isLocal } = this.#resolved(path)
    return isLocal ? real : undefined
  }

  #resolved(path: string): Resolved {
    if (!isAbsolute(path) || path.length > MAX_PATH_CHARS) return FAR
    const now = performance.now()
    if (now - this.#readAt > KNOWN_MS) {
      this.#mounts = mountsIn(this.#table)
      this.#known.clear()
      this.#readAt = now
    }
    // Known are plain paths only; most that come are plain and known.
    return this.#known.get(path) ?? this.#resolve(normalize(path).replace(/(.)\/$/, '$1'), MAX_LINKS)
  }

  #resolve(path: string, links: number): Resolved {
    const known = this.#known.get(path)
    if (known) return known
    const found = this.#look(path, links)
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.set(path, found)
    return found
  }

  #look(path: string, links: number): Resolved {
    if (path === '/') return this.#mounts.get('/') === true ? { real: '/', isLocal: true } : FAR
    const parent = this.#resolve(dirname(path), links)
    if (!parent.isLocal) return FAR
    const real = join(parent.real, basename(path))
    if (this.#mounts.get(real) === false) return FAR // without a mount of its own it is on its folder's disk
    const target = linkAt(real)
    if (target === undefined) return { real, isLocal: true }
    return links > 0
      ? this.#resolve(normalize(join(isAbsolute(target) ? '/' : parent.real, target)), links - 1)
      : FAR
  }
}

/** Keyed by mount point; a later mount at the same point hides the earlier one. */
function mountsIn(table: string): Map<string, boolean> {
  const mounts = new Map<string, boolean>()
  try {
    for (const line of readFileSync(table, 'utf8').split('\n')) {
      const [about = '', kind = ''] = line.split(' - ')
      const at = about.split(' ')[4]
      if (at !== undefined) mounts.set(unescaped(at), ON_DISK.has(kind.split(' ')[0] ?? ''))
    }
  } catch {
    // No mount table: nothing counts as local.
  }
  return mounts
}

/** The table escapes spaces and the like as `\040`. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}
