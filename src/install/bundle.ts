/**
 * gantry as a plugin of an agent's own form, in a folder of its own.
 *
 *   const bundle = planBundle(found, '/home/me/gantry-plugin', { places, env })
 *   writeBundle('/home/me/gantry-plugin', bundle)
 */
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Bundle, Env } from '../agents/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { replaceFile } from './files.ts'
import { type FoundAgent, wireable } from './find.ts'
import { installedClient } from './hook-client.ts'

export function planBundle(
  { settings, folder: settingsFolder, version }: FoundAgent,
  folder: string,
  { places, env }: { places: Places; env: Env },
): Bundle {
  const input = { client: installedClient(places, env), version, with: new Map(), statusLine: false }
  const wiring = settings.wiring(input)
  if (wiring.kind === 'refused') throw new GantryError('BAD_CONFIG', wiring.why)
  const bundle = settings.bundle?.({ ...input, folder, settingsFile: join(settingsFolder, wiring.file) })
  if (bundle !== undefined) return bundle
  const able = wireable().flatMap(({ id, settings }) => (settings.bundle ? [id] : []))
  throw new GantryError(
    'USAGE',
    `There is no plugin for ${settings.title}, only for ${able.join(', ')}. Use "gantry install" instead.`,
  )
}

/** A folder with anything else in it is somebody's. */
export function writeBundle(folder: string, { files }: Bundle): void {
  const ours = new Set(Object.keys(files).map((path) => path.split('/')[0]))
  const other = existsSync(folder) ? readdirSync(folder).find((name) => !ours.has(name)) : undefined
  if (other !== undefined)
    throw new GantryError('USAGE', `${folder} has other files, such as ${other}. Name an empty folder.`)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    replaceFile(join(folder, path), Buffer.from(text), { mode: 0o644 })
  }
}
