/** Files that anybody may have written: only plain ones, only small ones, and never a wait for a pipe. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** Nothing for what is not there, is no plain file, or is larger. */
export async function readSmall(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    // Without O_NONBLOCK, opening a pipe waits for somebody to write to it.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = await file.stat()
      if (!stat.isFile() || stat.size > maxBytes) return undefined
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}
