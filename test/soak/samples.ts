/** Every few seconds: memory and descriptors of all processes, sizes of files, and what hooks took since the last look. */
import { appendFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { percentile } from '../../bench/measure.ts'
import { memoryMb } from '../../bench/process.ts'
import type { Places } from '../../src/core/files/paths.ts'
import type { Daemon, Kind } from './daemon.ts'

export interface Sample {
  /** Seconds since the start. */
  readonly at: number
  /** The daemon of this moment; 0 while there is none. */
  readonly pid: number
  /** Seconds since it started. */
  readonly age: number
  readonly sent: number
  readonly kills: number
  /** MB by kind of process, and the sum of the daemon and its processes, NATS aside. */
  readonly daemonMb: number
  readonly childrenMb: number
  readonly natsMb: number
  readonly daemonFds: number
  readonly natsFds: number
  readonly journalMb: number
  readonly walMb: number
  readonly searchMb: number
  readonly streamsMb: number
  readonly spooled: number
  /** Of real hook clients, from start to end, and of the load generator's hooks that were answered; milliseconds. */
  readonly hookP50: number
  readonly hookP99: number
  readonly doorP50: number
  readonly doorP99: number
}

export interface Counters {
  readonly sent: number
  readonly kills: number
  readonly hooks: readonly number[]
  readonly door: readonly number[]
}

export class Samples {
  readonly all: Sample[] = []
  #began = performance.now()
  #daemon: Daemon
  #file: string
  #born = { pid: 0, at: 0 }

  constructor(daemon: Daemon, file: string) {
    this.#daemon = daemon
    this.#file = file
  }

  take({ sent, kills, hooks, door }: Counters): Sample {
    const at = (performance.now() - this.#began) / 1_000
    const running = this.#daemon.processes()
    const of = (...kinds: Kind[]) => kinds.flatMap((kind) => running.get(kind) ?? [])
    const [pid = 0] = of('daemon')
    if (pid !== this.#born.pid) this.#born = { pid, at }
    const places = this.#daemon.at
    const sample: Sample = {
      at: tenths(at),
      pid,
      age: tenths(at - this.#born.at),
      sent,
      kills,
      daemonMb: sumOf(of('daemon').map(memoryMb)),
      childrenMb: sumOf(of('search', 'read', 'handler', 'git', 'reaper').map(memoryMb)),
      natsMb: sumOf(of('nats').map(memoryMb)),
      daemonFds: sumOf(of('daemon').map(descriptors)),
      natsFds: sumOf(of('nats').map(descriptors)),
      journalMb: sizeMb(places.database),
      walMb: sizeMb(`${places.database}-wal`),
      searchMb: sizeMb(places.searchIndex),
      streamsMb: folderMb(places.nats),
      spooled: countIn(places),
      hookP50: percentileOf(hooks, 0.5),
      hookP99: percentileOf(hooks, 0.99),
      doorP50: percentileOf(door, 0.5),
      doorP99: percentileOf(door, 0.99),
    }
    this.all.push(sample)
    appendFileSync(this.#file, `${JSON.stringify(sample)}\n`)
    return sample
  }
}

/** 0 if there were none. */
export function percentileOf(samples: readonly number[], share: number): number {
  return samples.length === 0
    ? 0
    : Number(
        percentile(
          samples.toSorted((a, b) => a - b),
          share,
        ).toFixed(2),
      )
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + (Number.isNaN(one) ? 0 : one), 0)
}

function descriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

function sizeMb(path: string): number {
  return tenths((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1024 ** 2)
}

function folderMb(dir: string): number {
  try {
    const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    return tenths(
      sumOf(files.map((name) => statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0)) / 1024 ** 2,
    )
  } catch {
    return 0 // a file went while it was listed
  }
}

function countIn({ spool }: Places): number {
  try {
    return readdirSync(spool).filter((name) => name.endsWith('.frame')).length
  } catch {
    return 0
  }
}
