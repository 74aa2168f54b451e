/** Files that were not there before. Prompts and commands are in them, so they are for their owner only. */
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { messageOf } from '../../core/errors.ts'
import { usageError } from './usage.ts'

/** Opens it for writing. */
export function newFile(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST'
    const message = isThere
      ? `${path} is there already. Give another name.`
      : `Cannot write ${path}: ${messageOf(cause)}`
    throw usageError(message, { cause })
  }
}

export function writeNew(path: string, text: string): void {
  const file = newFile(path)
  try {
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}
