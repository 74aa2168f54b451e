/** Exports of a session: files that were not there before. */
import { writeFileSync } from 'node:fs'
import { GantryError, messageOf } from '../../core/errors.ts'

/** Prompts and commands are in it, so it is for its owner only. */
export function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST'
    const message = isThere
      ? `${path} is there already. Give another name.`
      : `Cannot write ${path}: ${messageOf(cause)}`
    throw new GantryError('USAGE', message, { cause })
  }
}
