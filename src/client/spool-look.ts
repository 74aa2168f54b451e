/**
 * The contents of the spool, and findings for a person. Counts without blocking: the folder may have any number of files,
 * and the caller may share its thread with all hooks.
 *
 *   const look = await lookAtSpool(places.spool)   // { frames: 3, drafts: { files: 0, bytes: 0 }, aside: … }
 */
import { lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { byteWords } from '../core/text/amount.ts'
import { counted } from '../core/text/text.ts'
import type { Finding } from '../rpc/index.ts'
import { SPOOL_FRAMES } from './spool.ts'

export interface SpoolLook {
  readonly dir: string
  /** Events that wait. */
  readonly frames: number
  /** All files in the folder: what the clients' limit counts. */
  readonly all: number
  /** Files that clients have not finished, or never will. */
  readonly drafts: Heap
  /** Files that are not events, set aside for a person to look at. */
  readonly aside: Heap
}

interface Heap {
  readonly files: number
  readonly bytes: number
}

export const FRAME = '.frame'
export const DRAFT = '.tmp-'
export const ASIDE = 'bad'

const FILES_PER_TURN = 500 // checking one takes a few microseconds
const NEARLY_FULL = SPOOL_FRAMES * 0.8
const MANY_DRAFT_BYTES = 64 * 1024 * 1024 // a few killed clients leave less for a moment

export async function lookAtSpool(dir: string): Promise<SpoolLook> {
  const names = await namesIn(dir)
  const drafts = names.filter((name) => name.startsWith(DRAFT))
  return {
    dir,
    all: names.length,
    frames: names.filter((name) => name.endsWith(FRAME)).length,
    drafts: await weigh(dir, drafts),
    aside: await weigh(join(dir, ASIDE), await namesIn(join(dir, ASIDE))),
  }
}

/** Empty if the folder does not exist. */
export async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => [])
}

async function weigh(dir: string, names: readonly string[]): Promise<Heap> {
  let bytes = 0
  for (const [i, name] of names.entries()) {
    bytes += lstatSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0
    if (i % FILES_PER_TURN === FILES_PER_TURN - 1) await new Promise(setImmediate)
  }
  return { files: names.length, bytes }
}

/** `fix` says how to get the waiting events into the journal. */
export function spoolFindings({ dir, frames, all, drafts, aside }: SpoolLook, fix: string): Finding[] {
  const found: Finding[] = []
  const waiting = `${counted(frames, 'event waits', 'events wait')} in the spool`
  const most = SPOOL_FRAMES.toLocaleString('en')
  if (all >= SPOOL_FRAMES) {
    const message = `${waiting}, and it is full with ${most} files: new events are lost`
    found.push({ level: 'fail', about: 'spool', message, fix })
  } else if (all >= NEARLY_FULL) {
    const message = `${waiting}; at ${most} files it is full, and further events are lost`
    found.push({ level: 'warn', about: 'spool', message, fix })
  } else if (frames > 0) found.push({ level: 'warn', about: 'spool', message: waiting, fix })
  if (aside.files > 0)
    found.push({
      level: 'warn',
      about: 'spool',
      message: `${countOf(aside)} in ${join(dir, ASIDE)}: not written by a hook client, so set aside`,
      fix: `Look at them, find out who writes into ${dir}, then: rm -r ${join(dir, ASIDE)}`,
    })
  if (drafts.bytes >= MANY_DRAFT_BYTES || drafts.files >= NEARLY_FULL)
    found.push({
      level: 'warn',
      about: 'spool',
      message: `${countOf(drafts)} left unfinished by hook clients; the daemon deletes them 10 min after their client is gone`,
      fix: 'Find out what kills hooks, for example a too short timeout in the agent',
    })
  return found
}

function countOf({ files, bytes }: Heap): string {
  return `${counted(files, 'file')} (${byteWords(bytes)})`
}
