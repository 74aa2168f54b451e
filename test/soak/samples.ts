/** Every few seconds: memory and descriptors of all processes, sizes of files, and what hooks took since the last look. */
import { appendFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { spread } from '../../bench/measure.ts'
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
  /** The search index, and whatever else can be made again from the journal. */
  readonly derivedMb: number
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
    const [hook, answered] = [spread(hooks), spread(door)]
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
      derivedMb: derivedMb(places),
      streamsMb: folderMb(places.nats),
      spooled: namesIn(places.spool).filter((name) => name.endsWith('.frame')).length,
      hookP50: hook.p50 || 0, // not a number if there were none
      hookP99: hook.p99 || 0,
      doorP50: answered.p50 || 0,
      doorP99: answered.p99 || 0,
    }
    this.all.push(sample)
    appendFileSync(this.#file, `${JSON.stringify(sample)}\n`)
    return sample
  }
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + (Number.isNaN(one) ? 0 : one), 0)
}

function descriptors(pid: number): number {
  return namesIn(`/proc/${pid}/fd`).length
}

function sizeMb(path: string): number {
  return tenths((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1024 ** 2)
}

function derivedMb({ state, database }: Places): number {
  const files = namesIn(state).filter(
    (name) => /\.db(-wal)?$/.test(name) && !join(state, name).startsWith(database),
  )
  return tenths(sumOf(files.map((name) => sizeMb(join(state, name)))))
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

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}
