/** Events that hook clients could not store anywhere, and the remaining reserve; works without the daemon. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Places } from '../core/files/paths.ts'
import { timeOfId } from '../events/ids.ts'
import { LOSS_FILE_BYTES, LOSS_RECORD_BYTES, SLOT } from './spool.ts'

interface Losses {
  readonly count: number
  /** There may be more: the file is full. */
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

export function countLosses({ lost }: Places): number {
  return readLosses(lost).length
}

export function lossesOf({ lost }: Places): Losses | undefined {
  const records = readLosses(lost)
  const times = records.map((record) => timeOfId(record.slice(0, 26))).filter((at) => at !== undefined)
  if (records.length === 0) return undefined
  return {
    count: records.length,
    isFull: (records.length + 1) * LOSS_RECORD_BYTES >= LOSS_FILE_BYTES,
    firstAt: Math.min(...times),
    lastAt: Math.max(...times),
    reasons: [...new Set(records.map((record) => record.slice(44).trim()))].filter(Boolean),
  }
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
