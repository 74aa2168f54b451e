/** Facts about processes: from /proc if there is one, else from ps, as on macOS. */
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { run } from './exec.ts'
import { allPids, commandLineOf, isOver, statOf, TICKS_PER_S } from './proc.ts'

export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** Distinguishes a process from a later one with the same pid. */
  readonly start: string
  /** By the current clock, to a second where ps says it. */
  readonly startedAt: number
  /** Stopped, as by Ctrl-Z. */
  readonly stopped: boolean
  /** The foreground process group of its terminal, which gets what is typed there; below 1 if none. */
  readonly foreground: number
  /** Its controlling terminal below /dev; empty if none. */
  readonly tty: string
}

const HAS_PROC = existsSync('/proc/self/stat')
/** `ps` is a child, whose end raises a SIGCHLD. */
export const ASKS_PS = !HAS_PROC
const PS_LIMIT_MS = 2_000
const MAX_ANCESTORS = 64

/** Undefined for an ended process, also if it is a zombie, and where ps takes too long. */
export function processRow(pid: number): Promise<ProcessRow | undefined> {
  return rowOf(pid).catch(() => undefined)
}

async function rowOf(pid: number): Promise<ProcessRow | undefined> {
  return HAS_PROC ? fromProc(pid) : (await fromPs(['-p', String(pid)]))[0]
}

/** The process, and those above it. */
export async function* upFrom(pid: number): AsyncGenerator<ProcessRow> {
  let at = pid
  for (let up = 0; up < MAX_ANCESTORS && at > 1; up++) {
    const row = await processRow(at)
    if (!row) return
    yield row
    at = row.parent
  }
}

/** The descendants of a process that are in its process group, and so in its terminal. */
export async function familyOf(pid: number): Promise<ProcessRow[]> {
  const all = HAS_PROC ? allPids().flatMap((one) => fromProc(one) ?? []) : await fromPs(['-A'])
  const group = all.find((row) => row.pid === pid)?.group
  const found = new Set([pid])
  // A parent may follow its children in the list, so repeat until nothing new is found.
  for (let before = 0; before !== found.size; ) {
    before = found.size
    for (const row of all) if (found.has(row.parent)) found.add(row.pid)
  }
  return all.filter((row) => row.pid !== pid && row.group === group && found.has(row.pid))
}

/** True as well while nobody can tell. */
export function isThere({ pid, start }: ProcessRow): Promise<boolean> {
  return rowOf(pid).then(
    (row) => row?.start === start,
    () => true,
  )
}

/** It gets what is typed on its terminal. A process in the background must not touch that: the system would stop it. */
export function isInFront({ group, foreground }: ProcessRow): boolean {
  return group === foreground
}

/** Whether its command line ends with these words. ps does not tell where one word ends. */
export async function commandEndsWith(pid: number, ...words: readonly string[]): Promise<boolean> {
  if (!HAS_PROC) return (await ps(['-p', String(pid)], 'command=')).trimEnd().endsWith(` ${words.join(' ')}`)
  const last = commandLineOf(pid).slice(-words.length)
  return last.length === words.length && words.every((word, i) => word === last[i])
}

function fromProc(pid: number): ProcessRow | undefined {
  const stat = statOf(pid)
  if (!stat || isOver(stat)) return undefined
  const { parent, group, start, state, foreground, terminal } = stat
  return {
    ...{ pid, parent, group, start, foreground },
    stopped: state === 'T',
    tty: ttyName(terminal),
    get startedAt() {
      return bootedAt() + (Number(start) / TICKS_PER_S) * 1000
    },
  }
}

/** Not by /proc/uptime: lxcfs gives a container its own, while its processes count from the start of the host. */
function bootedAt(): number {
  try {
    return Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1]) * 1000
  } catch {
    return Number.NaN
  }
}

/** Without /proc. */
export async function fromPs(which: readonly string[]): Promise<ProcessRow[]> {
  const said = await ps(which, 'pid=,ppid=,pgid=,tpgid=,tty=,stat=,lstart=')
  return said.split('\n').flatMap((line) => {
    const [pid, parent, group, foreground, tty = '', state = 'Z', ...started] = line.trim().split(/\s+/)
    if (state.startsWith('Z')) return []
    const start = started.join(' ')
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      start,
      startedAt: Date.parse(start),
      stopped: state.startsWith('T'),
      foreground: Number(foreground),
      tty: tty.startsWith('?') ? '' : tty,
    }
  })
}

/** Empty without such a process. A ps that is late says nothing, so it throws. */
async function ps(which: readonly string[], columns: string): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C' } // for the dates
  const said = await run(['ps', ...which, '-ww', '-o', columns], { env, timeoutMs: PS_LIMIT_MS }).catch(
    () => undefined,
  )
  if (said?.isLate) throw new Error(`ps does not answer within ${PS_LIMIT_MS / 1_000} s`)
  return said?.stdout ?? '' // there may be no ps
}

/** The name of a terminal in /proc/pid/stat. Pseudo-terminals are not in /sys; the numbers are those of Linux's devices.txt. */
function ttyName(device: number): string {
  if (device === 0) return ''
  const major = (device >> 8) & 0xfff
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00)
  if (major >= 136 && major <= 143) return `pts/${minor + (major - 136) * 256}`
  try {
    return basename(readlinkSync(`/sys/dev/char/${major}:${minor}`))
  } catch {
    return String(device)
  }
}
