/** What /proc says of a process. Elsewhere than on Linux nothing is known of any. */
import { readFileSync } from 'node:fs'

export const TICKS_PER_S = 100 // USER_HZ, the same on every Linux that Bun runs on

export interface ProcessStat {
  readonly name: string
  /** R, S, T, Z and so on. */
  readonly state: string
  readonly parent: number
  readonly group: number
  readonly session: number
  /** 0 without a terminal. */
  readonly terminal: number
  /** The group in the foreground of its terminal. */
  readonly foreground: number
  /** When it began, in the system's own count since it was started. */
  readonly start: string
}

/** proc(5): the name is in parentheses and may hold anything, those too. */
export function statOf(pid: number): ProcessStat | undefined {
  const stat = fileOf(pid, 'stat')
  if (stat === '') return undefined
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  const [parent = 0, group = 0, session = 0, terminal = 0, foreground = -1] = fields.slice(1, 6).map(Number)
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    state: fields[0] ?? '',
    ...{ parent, group, session, terminal, foreground },
    start: fields[19] ?? '',
  }
}

/** It has ended, and may not be collected yet. In a container nobody may ever do that. */
export function isOver({ state }: ProcessStat): boolean {
  return state === 'Z' || state === 'X'
}

/** A process of another user counts only for those who ask for it. */
export function isAlive(pid: number, isAnybodys = false): boolean {
  try {
    if (!(pid > 0)) return false
    process.kill(pid, 0)
  } catch (error) {
    return isAnybodys && (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  const stat = statOf(pid)
  return stat === undefined || !isOver(stat)
}

/** Empty where it cannot be read: another user's, or ended. */
export function commandLineOf(pid: number): string[] {
  return fileOf(pid, 'cmdline').split('\0').slice(0, -1)
}

/** `NAME=value`; empty where it cannot be read. */
export function environOf(pid: number): string[] {
  return fileOf(pid, 'environ').split('\0').filter(Boolean)
}

/** Since the system was started; NaN where nobody says so. */
export function uptimeS(): number {
  try {
    return Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0])
  } catch {
    return Number.NaN
  }
}

function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
