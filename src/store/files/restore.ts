/** Puts another database in place of the one that is there. The caller holds the daemon's lock, so nobody else has it open. */
import { Database } from 'bun:sqlite'
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { MIGRATIONS, version } from '../migrations.ts'

export interface SchemaOf {
  readonly schema: number
  /** The newest that this gantry reads. */
  readonly known: number
  /** gantry has none: one in a backup would run with the daemon's statements. */
  readonly triggers: readonly string[]
}

/** Throws if it is no database of gantry. */
export function schemaOf(path: string): SchemaOf {
  const db = new Database(path, { readonly: true, strict: true })
  try {
    db.query('SELECT seq FROM events LIMIT 1').all()
    const triggers = db
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      .all()
      .map(({ name }) => name)
    return { schema: version(db), known: MIGRATIONS.length, triggers }
  } finally {
    db.close()
  }
}

/**
 * Renames `fresh` to `path` and returns the name under which the former one is kept, if there was one. At every moment one
 * of the two is there: the former gets a second name first, and the rename replaces the first.
 */
export function placeDatabase(fresh: string, path: string, now: number): string | undefined {
  if (!existsSync(path)) {
    renameSync(fresh, path)
    return undefined
  }
  const kept = `${path}.before-restore-${now}`
  emptyLog(path)
  linkSync(path, kept)
  const isLogged = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  for (const suffix of ['-wal', '-shm']) {
    if (isLogged && existsSync(path + suffix)) renameSync(path + suffix, kept + suffix)
    else rmSync(path + suffix, { force: true })
  }
  renameSync(fresh, path)
  return kept
}

/** A log that stays would be applied to the new database. */
export function emptyLog(path: string): void {
  try {
    const db = new Database(path, { readwrite: true, strict: true })
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      db.close()
    }
  } catch {
    // broken, which may be why somebody restores: its log is kept beside it
  }
}
