/** Secrets given in gantry.toml, or in a file that it names. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { GantryError, messageOf } from '../errors.ts'

const MAX_SECRET_BYTES = 4096

interface SecretPlace {
  readonly secret: string
  /** Relative to the config folder; wins over `secret`. */
  readonly secret_file: string
}

/** Read at each use, so that a new secret needs no restart. Throws when there is none. */
export function secretOf(from: SecretPlace, configDir: string): string {
  if (from.secret_file === '') return from.secret
  const path = resolve(configDir, from.secret_file)
  let text: string
  try {
    const stat = statSync(path)
    if (!stat.isFile() || stat.size > MAX_SECRET_BYTES)
      throw new Error(`not a regular file of at most ${MAX_SECRET_BYTES} bytes`)
    text = readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new GantryError('BAD_CONFIG', `the secret cannot be read: ${messageOf(cause)}`, { cause })
  }
  if (text === '') throw new GantryError('BAD_CONFIG', `the secret is empty: ${path}`)
  return text
}

/** Whether others on this machine can read the secret file. */
export function isOpenToOthers(
  { secret_file }: Pick<SecretPlace, 'secret_file'>,
  configDir: string,
): boolean {
  if (secret_file === '') return false
  const stat = statSync(resolve(configDir, secret_file), { throwIfNoEntry: false })
  return stat !== undefined && (stat.mode & 0o077) !== 0
}
