/**
 * The last text of a file that was good, kept in the state folder: a start after a mistake in the file goes on with it, as a
 * running daemon does.
 */
import { rmSync } from 'node:fs'
import { writeAtomic } from './private-files.ts'
import { readOwn } from './small-file.ts'

const MAX_BYTES = 64 * 1024 * 1024

export function readLastGood(path: string): string | undefined {
  return readOwn(path, MAX_BYTES)
}

/** Writes only what is new. A full disk is no reason to refuse a good file. */
export function keepLastGood(path: string, text: string): void {
  try {
    if (text === '') rmSync(path, { force: true })
    else if (readLastGood(path) !== text) writeAtomic(path, text)
  } catch {}
}
