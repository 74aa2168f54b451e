/** CPU time and memory of a process, from /proc (Linux only). */
import { childrenOf, commandLineOf, fileOf, statOf, TICKS_PER_S } from '../src/core/processes/proc.ts'

export function cpuMs(pid: number): number {
  return ((statOf(pid)?.ticks ?? Number.NaN) / TICKS_PER_S) * 1000
}

export function memoryMb(pid: number): number {
  return Math.round(memory(pid, 'VmRSS'))
}

/** Without the program's own pages, which the system may drop and which all processes of it share. */
export function ownMemoryMb(pid: number): number {
  return memory(pid, 'RssAnon')
}

function memory(pid: number, field: string): number {
  const kb = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(fileOf(pid, 'status'))?.[1]
  return Number(kb ?? Number.NaN) / 1024
}

/** The first child with this word on its command line. */
export function childOf(parent: number, word: string): number | undefined {
  return childrenOf(parent).find((pid) => commandLineOf(pid).some((one) => one.includes(word)))
}

/** Bytes that it caused to be written to disks. */
export function writtenBytes(pid: number): number {
  return Number(/^write_bytes: (\d+)/m.exec(fileOf(pid, 'io'))?.[1] ?? 0)
}
