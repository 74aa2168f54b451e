/** Facts of the system about a process, checked before something is typed to it or it is ended. */
import { readFileSync } from 'node:fs'
import { isOver, statOf, TICKS_PER_S } from '../core/processes/proc.ts'

export interface Facts {
  readonly parent: number
  readonly startedAt: number
  /** Empty without one. */
  readonly terminal: string
  /** It gets what is typed on its terminal. */
  readonly isInFront: boolean
}

const MAX_ANCESTORS = 64

/** Undefined if the process does not exist or is a zombie. */
export async function factsOf(pid: number): Promise<Facts | undefined> {
  return process.platform === 'linux' ? factsFromProc(pid) : factsFromPs(pid)
}

/** The process, and those above it. */
export async function* upFrom(pid: number): AsyncGenerator<Facts & { readonly pid: number }> {
  let at = pid
  for (let up = 0; up < MAX_ANCESTORS && at > 1; up++) {
    const facts = await factsOf(at)
    if (!facts) return
    yield { ...facts, pid: at }
    at = facts.parent
  }
}

function factsFromProc(pid: number): Facts | undefined {
  const stat = statOf(pid)
  if (!stat || isOver(stat)) return undefined
  try {
    const bootedAt = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]) * 1000
    return {
      parent: stat.parent,
      startedAt: bootedAt + (Number(stat.start) / TICKS_PER_S) * 1000,
      terminal: stat.terminal === 0 ? '' : String(stat.terminal),
      isInFront: stat.group === stat.foreground,
    }
  } catch {
    return undefined
  }
}

/** Where there is no /proc. */
export async function factsFromPs(pid: number): Promise<Facts | undefined> {
  const ps = Bun.spawn(['ps', '-o', 'ppid=,pgid=,tpgid=,tty=,stat=,lstart=', '-p', String(pid)], {
    env: { ...process.env, LC_ALL: 'C' },
    stderr: 'ignore',
    timeout: 1_000,
  })
  const said = await new Response(ps.stdout).text()
  const [, parent, group, front, tty = '', stat, started] =
    /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\S+)\s+(.+)$/m.exec(said) ?? []
  if ((await ps.exited) !== 0 || parent === undefined || stat?.startsWith('Z')) return undefined
  return {
    parent: Number(parent),
    startedAt: Date.parse(started ?? ''),
    terminal: tty.startsWith('?') ? '' : tty,
    isInFront: group === front,
  }
}
