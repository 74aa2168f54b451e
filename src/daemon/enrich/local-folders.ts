/**
 * Folders on a disk of this machine, where a look at a file takes microseconds. One on a network may never answer, and the
 * daemon has one thread: there, and where nobody knows yet, a look must not be waited for.
 */
import { statfs } from 'node:fs/promises'

/** As Linux numbers them: ext, xfs, btrfs, tmpfs, overlay, zfs, f2fs. */
const ON_DISK: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010,
])
const MAX_KNOWN = 1_000

export class LocalFolders {
  readonly #known = new Map<string, boolean>()

  /** False until it is known. */
  has(folder: string): boolean {
    const known = this.#known.get(folder)
    if (known === undefined) void this.#learn(folder)
    return known === true
  }

  async #learn(folder: string): Promise<void> {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.set(folder, false)
    const found = await statfs(folder).catch(() => undefined)
    if (found === undefined)
      this.#known.delete(folder) // not there yet: asked again
    else this.#known.set(folder, ON_DISK.has(found.type >>> 0))
  }
}
