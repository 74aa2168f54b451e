/**
 * The configuration. Without a gantry.toml it is the defaults, and the schema is not even loaded. A mistake in the file
 * leaves the last good configuration in force.
 */
import { readFileSync } from 'node:fs'
import { GantryError, messageOf } from '../../core/errors.ts'
import { lazy } from '../../core/lazy.ts'
import { DEFAULT_CONFIG } from './defaults.ts'
import type { Config } from './schema.ts'

const MIB = 1024 * 1024
const configFile = lazy(() => import('./file.ts'))

export type { Config }

/** Reads the file; a missing one means defaults. Throws BAD_CONFIG with file, line and key. */
export async function loadConfig(file: string): Promise<{ readonly config: Config; readonly text: string }> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { config: DEFAULT_CONFIG, text: '' }
    throw new GantryError('BAD_CONFIG', `${file}: ${messageOf(error)}`, { cause: error })
  }
  return { config: await readConfig(text, file), text }
}

export async function readConfig(text: string, file: string): Promise<Config> {
  const { parseConfig } = await configFile()
  return parseConfig(text, file)
}

export function retentionLimits(config: Config): { maxAgeMs: number; maxBytes: number } {
  return { maxAgeMs: config.retention.max_days * 86_400_000, maxBytes: config.retention.max_mb * MIB }
}
