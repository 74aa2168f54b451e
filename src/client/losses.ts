/** Events that hook clients could not store anywhere, and the remaining reserve; works without the daemon. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import type { Places } from '../core/files/paths.ts'
import { timeOfId } from '../events/ids.ts'
import { LOSS_FILE_BYTES, LOSS_RECORD_BYTES, SLOT } from './spool.ts'

interface Losses {
  readonly count: number
  /** There may be more: the file, or the disk, is full. */
  readonly isFull: boolean
  readonly firstAt: number
  readonly lastAt: number
  /** The reasons as recorded. */
  readonly reasons: readonly string[]
}

/** The first record allocates a disk block before the disk is full, and describes the file. */
export const LOSS_HEADER = '# events that hooks could not keep: id, agent, reason'
  .padEnd(LOSS_RECORD_BYTES - 1)
  .concat('\n')

export function countLosses(places: Places): number {
  return lossesOf(places)?.count ?? 0
}

export function lossesOf({ lost }: Places): Losses | undefined {
  const records = readLosses(lost)
  const times = records.map((record) => timeOfId(record.slice(0, 26))).filter((at) => at !== undefined)
  if (records.length === 0) return unrecorded(lost)
  return {
    count: records.length,
    isFull: (records.length + 1) * LOSS_RECORD_BYTES >= LOSS_FILE_BYTES,
    firstAt: Math.min(...times),
    lastAt: Math.max(...times),
    reasons: [...new Set(records.map((record) => record.slice(44).trim()))].filter(Boolean),
  }
}

/** An empty file is of a client that had no room for more: one event at the least. */
function unrecorded(path: string): Losses | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > 0) return undefined
  return { count: 1, isFull: true, firstAt: stat.mtimeMs, lastAt: stat.mtimeMs, reasons: ['disk full'] }
}

/** How many more events fit when the disk is full. */
export function reservedSlots({ reserve }: Places): number {
  try {
    return readdirSync(reserve).filter((name) => name.startsWith(SLOT)).length
  } catch {
    return 0
  }
}

function readLosses(path: string): string[] {
  try {
    const text = readFileSync(path, 'latin1')
    return text.split('\n').filter((line) => line && !line.startsWith('#'))
  } catch {
    return []
  }
}
