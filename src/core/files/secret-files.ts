/** Secrets that gantry.toml gives or names the file of. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { GantryError, messageOf } from '../errors.ts'

const MAX_SECRET_BYTES = 4096

export interface SecretPlace {
  readonly secret: string
  /** Relative to the config folder; wins over `secret`. */
  readonly secret_file: string
}

/** Read whenever it is needed, so that a new one needs no restart. Throws when there is none. */
export function secretOf(from: SecretPlace, configDir: string): string {
  if (from.secret_file === '') return from.secret
  const path = resolve(configDir, from.secret_file)
  let text: string
  try {
    const stat = statSync(path)
    if (!stat.isFile() || stat.size > MAX_SECRET_BYTES) throw new Error('it is not a small file')
    text = readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new GantryError('BAD_CONFIG', `the secret cannot be read: ${messageOf(cause)}`, { cause })
  }
  if (text === '') throw new GantryError('BAD_CONFIG', `the secret is empty: ${path}`)
  return text
}

/** Others on this machine can read the secret. */
export function isOpenToOthers(
  { secret_file }: Pick<SecretPlace, 'secret_file'>,
  configDir: string,
): boolean {
  if (secret_file === '') return false
  const stat = statSync(resolve(configDir, secret_file), { throwIfNoEntry: false })
  return stat !== undefined && (stat.mode & 0o077) !== 0
}
