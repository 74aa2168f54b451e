/**
 * How a hook client keeps a frame when there is no answer: in a file of its own in the spool; on a full disk in one of the
 * files that the daemon has made ahead. What can be kept nowhere is noted, one record for each event.
 * native/gantry-hook.c is its twin, step for step.
 *
 *   const loss = spool(places, id, frame)   // undefined when it was kept
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../core/files/paths.ts'

export const SPOOL_FREE_BYTES = 64 * 1024 * 1024 // the last of a disk belongs to its user
export const SPOOL_FOLDER_BYTES = 4 * 1024 * 1024 // of names alone: some 50,000 frames wait already
export const SPOOL_FRAMES = 50_000 // a daemon that never comes must not fill the disk
export const RESERVE_SLOT_BYTES = 16 * 1024 // most frames are smaller; a longer one takes several
export const RESERVE_FRAME_BYTES = 1024 * 1024 // one event must not take the room of hundreds
export const RESERVE_TRIES = 8 // a disk may need room for a name, or to write over what is there
export const LOSS_RECORD_BYTES = 64 // divides a block, so that a full disk cuts none in two
export const LOSS_FILE_BYTES = 1024 * 1024 // some 16,000 losses: more say nothing new

/** Names in the reserve: files for frames, and files whose room is for saying what is lost. */
export const SLOT = 'slot-'
export const NOTE = 'note-'

/** Why an event could not be kept, for a person and in few letters for the file of losses. */
export interface Loss {
  readonly what: string
  readonly fix: string
  readonly brief: string
}

export const NO_ROOM: Loss = { what: 'the disk is full', fix: 'Free disk space', brief: 'disk full' }
export const NO_PLACE: Loss = {
  what: 'its spool cannot be written',
  fix: 'Find out why with: gantry doctor',
  brief: 'no spool',
}
export const TOO_MANY: Loss = {
  what: 'too many events wait already',
  fix: 'Start the daemon with: gantry up',
  brief: 'spool full',
}
export const NOWHERE: Loss = {
  what: 'there is no such place as its home folder',
  fix: 'Set GANTRY_HOME or --home to an absolute path',
  brief: '',
}

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants

/** The reason when the frame could not be kept. */
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

/** The last of a disk belongs to its user, and a daemon that never comes must not fill it. */
export function findRoom(folder: string): Loss | undefined {
  const stat = fs.lstatSync(folder)
  if (!stat.isDirectory() || stat.uid !== process.geteuid?.()) return NO_PLACE
  const disk = fs.statfsSync(folder)
  if (disk.bavail * disk.bsize < SPOOL_FREE_BYTES) return NO_ROOM
  // ext4 never shrinks a folder, so a large one may be empty again: only now is counting worth its time.
  const isSmall = stat.size <= SPOOL_FOLDER_BYTES || fs.readdirSync(folder).length < SPOOL_FRAMES
  return isSmall ? undefined : TOO_MANY
}

/** Files that the daemon has made ahead: written over, they need no new room. */
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
      remove(draft) // which is room for the next try
      if (written && !isFull(error)) return false // the spool takes none; any other slot may do
    }
  }
  return false
}

/**
 * Renaming a slot makes it ours alone. A long frame takes as many as it is long, so that the reserve and what it became
 * are never larger.
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
      if (isFull(error)) remove(join(reserve, name)) // room for the new name
      // Otherwise another client was faster.
    }
  }
  return got > 0
}

/** One record in a file that only grows: many clients at once need no lock for that, and its length is the count. */
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
    // Where nothing can be written, all that is left is to say it.
  }
}

/** The last of the reserve is for saying what is lost. */
function giveRoom(reserve: string): boolean {
  if (!isOurs(reserve)) return false
  return fs.readdirSync(reserve).some((name) => name.startsWith(NOTE) && remove(join(reserve, name)))
}

function isOurs(folder: string): boolean {
  const stat = fs.lstatSync(folder)
  return stat.isDirectory() && stat.uid === process.geteuid?.()
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Over what the file has; it is cut to the length of the frame. */
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
    return false // it never was there, or another client was faster
  }
}
