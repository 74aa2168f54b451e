/**
 * Preallocates the write-ahead log before hooks need it. While the file grows, every sync must also write its new length
 * and takes half as long again (measured on ext4). SQLite takes the zeros behind its frames for the remains of an older log.
 */
import type { Database } from 'bun:sqlite'
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseFiles } from './database-files.ts'

const ROOM_BYTES = 4 * 1024 * 1024
const SLICE_BYTES = 512 * 1024 // about a millisecond
const ENOUGH_BYTES = 256 * 1024 * 1024 // with this much free, four megabytes more or less do not matter

/** One slice; true if there is more to do. */
export function growLog(db: Database, files: DatabaseFiles): boolean {
  const { bavail, bsize } = statfsSync(dirname(files.path))
  if (bavail * bsize < ENOUGH_BYTES) return false // on a nearly full disk the space belongs to events
  db.exec('BEGIN IMMEDIATE')
  try {
    return files.fillLog(SLICE_BYTES, ROOM_BYTES) < ROOM_BYTES
  } finally {
    db.exec('ROLLBACK')
  }
}
