import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The repository around a folder: the nearest folder with a `.git`. Reads only names; src/git/ knows more. */
export function projectAround(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}
