/** Puts a backup in place of the journal. The daemon must be down; what was there is kept aside. */
import {
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { GantryError, messageOf } from '../../core/errors.ts'
import { flushFolder } from '../../core/files/flush-folder.ts'
import { takeLock } from '../../core/files/lock.ts'
import type { Places } from '../../core/files/paths.ts'
import { makeFolders } from '../../core/files/private-files.ts'
import { counted } from '../../core/text/text.ts'
import { emptyLog, placeDatabase, schemaOf } from '../../store/index.ts'
import type { Input } from '../framework/define.ts'
import { out, outJson, plain } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { CONFIG, JOURNAL, readThrough, requireRoom } from './backup.ts'
import type * as commands from './index.ts'

export async function run({ args, flags, places }: Input<typeof commands.restore>): Promise<number> {
  const { journal, config } = partsOf(resolve(args.backup))
  if (flags.config && config === undefined) {
    const message = `${args.backup} has no configuration. Leave out --config to restore the journal alone.`
    throw usageError(message)
  }
  if (flags.config && config !== undefined) requireOwnFiles(config, places)
  makeFolders(places)
  const lock = takeLock(places.lock)
  if (!lock)
    throw new GantryError(
      'ALREADY_RUNNING',
      'gantry is running, and would go on with the journal it has. First: gantry down',
    )
  try {
    refuseNewer(journal)
    const events = eventsIn(journal)
    requireRoom(journal, places.state)
    const now = Date.now()
    const kept = place(journal, places, now)
    const keptConfig = flags.config && config !== undefined ? placeConfig(config, places, now) : []
    if (flags.json) return outJson({ events, database: places.database, kept: kept ?? null, keptConfig })
    out(`${counted(events, 'event')} restored to ${places.database}`)
    if (kept !== undefined)
      out(`The journal from before is kept as ${kept}; remove it when you do not need it.`)
    for (const path of keptConfig) out(`Kept ${path}`)
    out('Start with: gantry up')
    return 0
  } finally {
    lock.release()
  }
}

/** A backup is a folder, or a file with the journal alone. */
function partsOf(path: string): { journal: string; config: string | undefined } {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile()) return { journal: path, config: undefined }
  const journal = join(path, JOURNAL)
  if (!found || !statSync(journal, { throwIfNoEntry: false })?.isFile()) {
    const what = found ? `${path} is no backup: it has no ${JOURNAL}` : `There is no ${path}`
    throw usageError(`${what}. Give the folder or the file that "gantry backup" made.`)
  }
  const config = join(path, CONFIG)
  return { journal, config: existsSync(config) ? config : undefined }
}

function refuseNewer(journal: string): void {
  let found: ReturnType<typeof schemaOf>
  try {
    found = schemaOf(journal)
  } catch (cause) {
    throw usageError(`${journal} is no journal of gantry: ${messageOf(cause)}. Give another backup.`, {
      cause,
    })
  }
  const { schema, known, triggers } = found
  if (triggers.length > 0) {
    const which = triggers.map(plain).join(', ')
    const message = `${journal} would run statements of its own with every event (${which}), and no gantry writes such a backup. Give another one.`
    throw new GantryError('DATABASE', message)
  }
  if (schema <= known) return
  const message = `The backup was made by a newer gantry (schema ${schema}, this one knows ${known}). Upgrade gantry, then restore it.`
  throw new GantryError('DATABASE', message)
}

/** A disk may have lost something since; the journal in place is better than half a backup. */
function eventsIn(journal: string): number {
  const { problems, events } = readThrough(journal)
  if (problems.length === 0) return events
  throw new GantryError(
    'DATABASE',
    `The backup is damaged: ${problems.join('; ')}. Nothing was changed. Give another one.`,
  )
}

function place(journal: string, { database, state }: Places, now: number): string | undefined {
  const fresh = `${database}.restoring-${process.pid}`
  try {
    // A journal that was kept aside may have its newest events in a log beside it.
    for (const suffix of ['', '-wal'].filter((suffix) => existsSync(journal + suffix))) {
      copyFileSync(journal + suffix, fresh + suffix, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      chmodSync(fresh + suffix, 0o600) // whatever the disk it comes from made of it
    }
    emptyLog(fresh)
    flushFolder(fresh)
    const kept = placeDatabase(fresh, database, now)
    flushFolder(state)
    return kept
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(fresh + suffix, { force: true })
  }
}

/** A link could lead to anything, and a backup has none: it holds what links led to. */
function requireOwnFiles(from: string, places: Places): void {
  for (const name of ownNames(from, places))
    for (const path of [name, ...deepNames(join(from, name)).map((inner) => join(name, inner))]) {
      const found = lstatSync(join(from, path))
      if (found.isFile() || found.isDirectory()) continue
      const message = `${plain(join(from, path))} is neither a file nor a folder, and no gantry writes such a backup. Leave out --config, or remove it.`
      throw usageError(message)
    }
}

function deepNames(path: string): string[] {
  return lstatSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
}

/** Whatever else is in that folder was not put there by a backup. */
function ownNames(from: string, { configFile, rules, handlers }: Places): string[] {
  const own = new Set([configFile, rules, handlers].map((path) => basename(path)))
  return readdirSync(from).filter((name) => own.has(name))
}

/** The names under which the former files are kept. */
function placeConfig(from: string, places: Places, now: number): string[] {
  const { config } = places
  mkdirSync(config, { recursive: true, mode: 0o700 })
  return ownNames(from, places).flatMap((name) => {
    const path = join(config, name)
    const kept = existsSync(path) ? [`${path}.before-restore-${now}`] : []
    for (const aside of kept) renameSync(path, aside)
    cpSync(join(from, name), path, { recursive: true })
    return kept
  })
}
