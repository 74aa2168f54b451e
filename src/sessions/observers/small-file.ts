/** What an agent writes about itself, in a file of a few lines. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

const MAX_BYTES = 64 * 1024 // Claude's status is under one, a list of open sessions a few

/** A plain file of this user, or nothing. */
export function smallFile(path: string): string {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(fd)
      if (!stat.isFile() || stat.uid !== process.getuid?.() || stat.size > MAX_BYTES) return ''
      const bytes = Buffer.alloc(stat.size)
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, stat.size, 0))
    } finally {
      closeSync(fd)
    }
  } catch {
    return ''
  }
}
