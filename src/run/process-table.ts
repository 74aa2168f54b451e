/** Facts about processes: from /proc if there is one, else from ps. */

import { existsSync, readdirSync } from 'node:fs'
import { isOver, statOf } from '../core/processes/proc.ts'

export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** Distinguishes a process from a later one with the same pid. */
  readonly start: string
  /** Stopped, as by Ctrl-Z. */
  readonly stopped: boolean
  /** The foreground process group of its terminal; below 1 if none. */
  readonly foreground: number
}

const HAS_PROC = existsSync('/proc/self/stat')

/** Undefined for an ended process, also if it is a zombie. */
export function processRow(pid: number): ProcessRow | undefined {
  return HAS_PROC ? fromProc(pid) : fromPs(['-p', String(pid)])[0]
}

/** The descendants of a process that are in its process group, and so in its terminal. */
export function familyOf(pid: number): ProcessRow[] {
  const all = HAS_PROC ? allFromProc() : fromPs(['-A'])
  const group = all.find((row) => row.pid === pid)?.group
  const found = new Set([pid])
  // A parent may follow its children in the list, so repeat until nothing new is found.
  for (let before = 0; before !== found.size; ) {
    before = found.size
    for (const row of all) if (found.has(row.parent)) found.add(row.pid)
  }
  return all.filter((row) => row.pid !== pid && row.group === group && found.has(row.pid))
}

export function isAlive(row: ProcessRow): boolean {
  return processRow(row.pid)?.start === row.start
}

/** A background process must not touch the terminal: the system would stop it. */
export function isInForeground(): boolean {
  const own = processRow(process.pid)
  return own !== undefined && own.group === own.foreground
}

function allFromProc(): ProcessRow[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => fromProc(Number(pid)) ?? [])
}

function fromProc(pid: number): ProcessRow | undefined {
  const stat = statOf(pid)
  if (!stat || isOver(stat)) return undefined
  const { parent, group, start, state, foreground } = stat
  return { pid, parent, group, start, stopped: state === 'T', foreground }
}

/** Without /proc, as on macOS. */
export function fromPs(which: readonly string[]): ProcessRow[] {
  const columns = 'pid=,ppid=,pgid=,tpgid=,stat=,lstart='
  const { stdout } = Bun.spawnSync(['ps', ...which, '-o', columns], { stdin: 'ignore', stderr: 'ignore' })
  return stdout
    .toString()
    .split('\n')
    .flatMap((line) => {
      const [pid, parent, group, foreground, state = 'Z', ...start] = line.trim().split(/\s+/)
      if (state.startsWith('Z')) return []
      return {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        start: start.join(' '),
        stopped: state.startsWith('T'),
        foreground: Number(foreground),
      }
    })
}
