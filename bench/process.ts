/** CPU time and memory of a process, from /proc (Linux only). */
import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10 // USER_HZ is 100 on every common Linux

export function cpuMs(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11] ?? Number.NaN) + Number(fields[12] ?? Number.NaN)) * TICK_MS
}

export function memoryMb(pid: number): number {
  return Math.round(memory(pid, 'VmRSS'))
}

/** Without the program's own pages, which the system may drop and which all processes of it share. */
export function ownMemoryMb(pid: number): number {
  return memory(pid, 'RssAnon')
}

function memory(pid: number, field: string): number {
  const kb = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`))?.[1]
  return Number(kb ?? Number.NaN) / 1024
}

/** The first child with this word on its command line. */
export function childOf(parent: number, word: string): number | undefined {
  return pids().find(
    (pid) => Number(statOf(pid)[1]) === parent && read(`/proc/${pid}/cmdline`).includes(word),
  )
}

export function childrenOf(parent: number): number[] {
  return pids().filter((pid) => Number(statOf(pid)[1]) === parent)
}

/** Bytes that it caused to be written to disks. */
export function writtenBytes(pid: number): number {
  return Number(/^write_bytes: (\d+)/m.exec(read(`/proc/${pid}/io`))?.[1] ?? 0)
}

/** The fields after the name, which may contain spaces: state, parent, … */
function statOf(pid: number): string[] {
  const text = read(`/proc/${pid}/stat`)
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function pids(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
