import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Writes the names in a folder to disk, which a crash of the machine could lose otherwise. */
export function flushFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
