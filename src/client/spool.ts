/**
 * How a hook client stores a frame without an answer: in its own spool file; on a full disk in a file that the daemon
 * preallocated. An event that fits nowhere is recorded as lost. native/gantry-hook.c does the same step for step.
 *
 *   const loss = spool(places, id, frame)   // undefined when it was kept
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../core/files/paths.ts'

// Every number that is exported here is also a number of the native client: `npm run docs` makes its table of them.
export const SPOOL_FREE_BYTES = 64 * 1024 * 1024 // the last space on a disk belongs to its user
export const SPOOL_FOLDER_BYTES = 4 * 1024 * 1024 // size of the folder itself: some 50,000 frames wait already
export const SPOOL_FRAMES = 50_000 // without a daemon the spool must not fill the disk
export const RESERVE_SLOT_BYTES = 16 * 1024 // most frames are smaller; a longer one takes several
export const RESERVE_FRAME_BYTES = 1024 * 1024 // one event must not take the space of hundreds
export const RESERVE_TRIES = 8 // a disk may need space for a name, or to overwrite existing data
export const LOSS_RECORD_BYTES = 64 // divides a block, so that a full disk cuts none in two
export const LOSS_FILE_BYTES = 1024 * 1024 // some 16,000 losses: more add no information

/** File names in the reserve: slots for frames, and notes whose space is for recording losses. */
export const SLOT = 'slot-'
export const NOTE = 'note-'

/** Why an event could not be stored: for a person, and briefly for the file of losses. */
interface Loss {
  readonly what: string
  readonly fix: string
  readonly brief: string
}

export const NO_ROOM: Loss = { what: 'the disk is full', fix: 'Free disk space', brief: 'disk full' }
const NO_PLACE: Loss = {
  what: 'the spool cannot be written',
  fix: 'Find out why with: gantry doctor',
  brief: 'no spool',
}
export const TOO_MANY: Loss = {
  what: 'too many events wait already',
  fix: 'Start the daemon with: gantry up',
  brief: 'spool full',
}
export const NOWHERE: Loss = {
  what: 'its home folder does not exist',
  fix: 'Set GANTRY_HOME or --home to an absolute path',
  brief: '',
}

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants

/** Undefined if the frame was stored, else the reason. */
export function spool(where: Places, id: string, frame: Buffer): Loss | undefined {
  const draft = join(where.spool, `.tmp-${id}`)
  const kept = join(where.spool, `${id}.frame`)
  let loss: Loss | undefined
  try {
    fs.mkdirSync(where.spool, { recursive: true, mode: 0o700 })
    loss = findRoom(where.spool)
    if (!loss) {
      writeDurably(draft, O_CREAT | O_EXCL, frame)
      publish(draft, kept, where.spool)
    }
  } catch (error) {
    remove(draft)
    loss = isFull(error) ? NO_ROOM : NO_PLACE
  }
  return loss === NO_ROOM && keepInReserve(where, id, kept, frame) ? undefined : loss
}

/** The last space on a disk belongs to its user, and without a daemon the spool must not fill it. */
export function findRoom(folder: string): Loss | undefined {
  const stat = fs.lstatSync(folder)
  if (!stat.isDirectory() || stat.uid !== process.geteuid?.()) return NO_PLACE
  if (!isWritable(folder)) return NO_PLACE // a disk that is read-only may be full, too
  const disk = fs.statfsSync(folder)
  if (disk.bavail * disk.bsize < SPOOL_FREE_BYTES) return NO_ROOM
  // ext4 never shrinks a folder, so a large one may be empty again: only then count its files.
  const isSmall = stat.size <= SPOOL_FOLDER_BYTES || fs.readdirSync(folder).length < SPOOL_FRAMES
  return isSmall ? undefined : TOO_MANY
}

/** Uses preallocated files: overwriting them needs no new space. */
function keepInReserve(where: Places, id: string, kept: string, frame: Buffer): boolean {
  const draft = join(where.reserve, `.tmp-${id}`)
  for (let i = 0; i < RESERVE_TRIES; i++) {
    let written = false
    try {
      if (!isOurs(where.reserve) || !takeSlot(where.reserve, draft, frame.length)) return false
      writeDurably(draft, 0, frame)
      written = true
      publish(draft, kept, where.spool)
      return true
    } catch (error) {
      remove(draft) // frees space for the next try
      if (written && !isFull(error)) return false // the spool itself fails; another slot would not help
    }
  }
  return false
}

/**
 * Renaming a slot claims it. A long frame consumes as many slots as it needs, so that the reserve plus the frames made from
 * it never grow.
 */
function takeSlot(reserve: string, draft: string, length: number): boolean {
  if (length > RESERVE_FRAME_BYTES) return false
  const wanted = Math.ceil(length / RESERVE_SLOT_BYTES)
  let got = 0
  for (const name of fs.readdirSync(reserve)) {
    if (got === wanted) break
    if (!name.startsWith(SLOT)) continue
    if (!fs.lstatSync(join(reserve, name), { throwIfNoEntry: false })?.isFile()) continue
    try {
      if (got > 0) fs.unlinkSync(join(reserve, name))
      else fs.renameSync(join(reserve, name), draft)
      got += 1
    } catch (error) {
      if (isFull(error)) remove(join(reserve, name)) // frees space for the new name
      // Otherwise another client was faster.
    }
  }
  return got > 0
}

/** Appends one record: concurrent clients need no lock for that, and the file's size is the count. */
export function noteLoss(where: Places, agent: string, id: string, { brief }: Loss): void {
  const record = `${id} ${agent.slice(0, 16).padEnd(16)} ${brief.padEnd(19)}\n`
  try {
    if (!isOurs(where.state)) return
    withFile(where.lost, O_CREAT | O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK, (fd) => {
      const stat = fs.fstatSync(fd)
      if (!stat.isFile() || stat.size >= LOSS_FILE_BYTES) return
      try {
        fs.writeSync(fd, record)
      } catch {
        if (giveRoom(where.reserve)) fs.writeSync(fd, record)
      }
      fs.fdatasyncSync(fd)
    })
  } catch {
    // Nothing can be written; only the message on stderr remains.
  }
}

/** The last of the reserve is for recording losses. */
function giveRoom(reserve: string): boolean {
  if (!isOurs(reserve)) return false
  return fs.readdirSync(reserve).some((name) => name.startsWith(NOTE) && remove(join(reserve, name)))
}

function isWritable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

function isOurs(folder: string): boolean {
  const stat = fs.lstatSync(folder)
  return stat.isDirectory() && stat.uid === process.geteuid?.()
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Overwrites the file and truncates it to the frame's length. */
function writeDurably(path: string, flags: number, bytes: Buffer): void {
  withFile(path, flags | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, (fd) => {
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done)
    fs.ftruncateSync(fd, bytes.length)
    fs.fdatasyncSync(fd)
  })
}

function publish(draft: string, kept: string, folder: string): void {
  fs.renameSync(draft, kept)
  withFile(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, fs.fsyncSync)
}

function withFile(path: string, flags: number, use: (fd: number) => void): void {
  const fd = fs.openSync(path, flags, 0o600)
  try {
    use(fd)
  } finally {
    fs.closeSync(fd)
  }
}

function remove(path: string): boolean {
  try {
    fs.unlinkSync(path)
    return true
  } catch {
    return false // it did not exist, or another client was faster
  }
}
