/**
 * What /proc says about processes. Only on Linux; elsewhere nothing is known. Of another user's process, or an ended one,
 * most is empty.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export const TICKS_PER_S = 100 // USER_HZ, the same on every Linux that Bun runs on

interface ProcessStat {
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
  /** Processor time in clock ticks, of all its threads. */
  readonly ticks: number
  /** Start time in clock ticks since boot. */
  readonly start: string
}

/** See proc(5): the name is in parentheses and may itself contain parentheses. */
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
    ticks: Number(fields[11]) + Number(fields[12]),
    start: fields[19] ?? '',
  }
}

/** The process has ended but may still be a zombie. In a container nobody may ever reap it. */
export function isOver({ state }: ProcessStat): boolean {
  return state === 'Z' || state === 'X'
}

/** Another user's process counts only with `isAnybodys`. */
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

export function commandLineOf(pid: number): string[] {
  return fileOf(pid, 'cmdline').split('\0').slice(0, -1)
}

/** As `NAME=value`. */
export function environOf(pid: number): string[] {
  return fileOf(pid, 'environ').split('\0').filter(Boolean)
}

const OWN_START_S = Number(statOf(process.pid)?.start) / TICKS_PER_S
const DOUBT_S = 2

/**
 * Seconds since boot, as the starts of processes are counted; NaN if unknown. lxcfs gives a container an uptime of its own, in which
 * this process would have begun in the future.
 */
export function uptimeS(): number {
  try {
    const said = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0])
    const least = OWN_START_S + performance.now() / 1000
    return said < least - DOUBT_S ? least : said
  } catch {
    return Number.NaN
  }
}

const CLOCKS_TOGETHER_MS = 2
const MOST_TRIES = 5

/** What a start in clock ticks since boot is by the current clock. A pause between the two clocks would make it wrong. */
export function startedAt(start: string): number {
  for (let tries = 1; ; tries++) {
    const now = Date.now()
    const sinceMs = (uptimeS() - Number(start) / TICKS_PER_S) * 1000
    if (Date.now() - now <= CLOCKS_TOGETHER_MS || tries === MOST_TRIES) return now - sinceMs
  }
}

/** All that can be seen. */
export function allPids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

export function childrenOf(pid: number): number[] {
  try {
    const lists = readdirSync(`/proc/${pid}/task`).map((task) => fileOf(pid, `task/${task}/children`))
    return lists.flatMap((pids) => pids.split(' ').filter(Boolean).map(Number))
  } catch {
    return []
  }
}

/** Where a link leads, such as `cwd` or `fd/0`; undefined if it cannot be read. */
export function linkOf(pid: number, name: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/${name}`)
  } catch {
    return undefined
  }
}

/** The files that it has open; undefined if nobody tells. */
export function filesOf(pid: number): string[] | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => linkOf(pid, `fd/${fd}`) ?? [])
  } catch {
    return undefined
  }
}

export function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
