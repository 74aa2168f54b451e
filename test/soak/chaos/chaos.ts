/** Carries out the plan, and notes what really happened. */
import { messageOf } from '../../../src/core/errors.ts'
import type { Daemon, Kind } from '../daemon.ts'
import type { Home } from '../home.ts'
import type { LoadGenerator } from '../load/generator.ts'
import type { HookClients } from '../load/hook-clients.ts'
import type { Strike } from './plan.ts'

export interface Happened {
  readonly atMs: number
  readonly what: string
}

export interface Scene {
  readonly home: Home
  readonly daemon: Daemon
  readonly clients: HookClients
  readonly generator: LoadGenerator
  readonly random: () => number
}

const FIND_MS = 3_000 // a victim may just be starting
const LOOK_MS = 50

export class Chaos {
  readonly happened: Happened[] = []
  readonly kills: Record<string, number> = {}
  /** Faults that could not be made, or not be undone. */
  readonly failures: string[] = []
  /** Pids of what was killed. */
  readonly victims = new Set<number>()
  #scene: Scene
  #began = performance.now()
  #isOver = false
  #restoring = new Set<Promise<void>>()

  constructor(scene: Scene) {
    this.#scene = scene
  }

  /** All kills of processes, with those of clients that really died by it. */
  get killed(): number {
    const { clients, generator } = this.#scene
    return Object.values(this.kills).reduce((sum, one) => sum + one, 0) + clients.killed + generator.killed
  }

  async play(plan: readonly Strike[]): Promise<void> {
    this.#began = performance.now()
    for (const strike of plan) {
      while (!this.#isOver && performance.now() - this.#began < strike.atMs) await Bun.sleep(50)
      if (this.#isOver) break
      await this.#strike(strike).catch((error) => this.#fail(error))
    }
  }

  /** Nothing more goes wrong; the disk, the clock and the daemon are as they should be. */
  async stop(): Promise<void> {
    this.#isOver = true
    const { home, daemon } = this.#scene
    await Promise.all(this.#restoring)
    home.free()
    daemon.clock.set(0)
    await daemon.start()
  }

  async #strike(strike: Strike): Promise<void> {
    const { home, daemon, clients, generator, random } = this.#scene
    switch (strike.what) {
      case 'daemon': {
        daemon.leaveToHooks(strike.byHook)
        await this.#kill(() => daemon.processes(), ['daemon'])
        if (!strike.byHook) this.#later(strike.downMs, () => daemon.start())
        return
      }
      case 'child': {
        const kinds: Kind[] = ['search', 'read', 'handler', 'search', 'read', 'handler', 'git', 'reaper']
        const first = Math.floor(random() * kinds.length)
        return this.#kill(() => daemon.processes(), [...kinds.slice(first), ...kinds.slice(0, first)])
      }
      case 'nats':
        return this.#kill(() => daemon.processes(), ['nats'])
      case 'client':
        return clients.killOne()
      case 'generator':
        return generator.kill()
      case 'disk':
        this.#note(`disk full for ${seconds(strike.forMs)}`)
        home.fill()
        return this.#later(strike.forMs, () => home.free())
      case 'clock':
        if (!(await this.#found(() => daemon.hasClock))) return this.#note('no clock to set')
        this.#note(`clock set by ${seconds(strike.addedMs)} for ${seconds(strike.forMs)}`)
        daemon.clock.set(strike.addedMs)
        return this.#later(strike.forMs, () => daemon.clock.set(0))
    }
  }

  /** Kills one of the first kind that is there. */
  async #kill(running: () => Map<Kind, number[]>, kinds: readonly Kind[]): Promise<void> {
    const isKilled = () => {
      const all = running()
      const kind = kinds.find((one) => all.has(one))
      const [pid] = (kind && all.get(kind)) ?? []
      if (kind === undefined || pid === undefined) return false
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        return false // it has just ended
      }
      this.victims.add(pid)
      this.kills[kind] = (this.kills[kind] ?? 0) + 1
      this.#note(`${kind} ${pid} killed`)
      return true
    }
    if (!(await this.#found(isKilled))) this.#note(`no ${kinds[0]} to kill`)
  }

  async #found(look: () => boolean): Promise<boolean> {
    const until = performance.now() + FIND_MS
    while (performance.now() < until && !this.#isOver) {
      if (look()) return true
      await Bun.sleep(LOOK_MS)
    }
    return false
  }

  #later(ms: number, work: () => void | Promise<void>): void {
    const until = performance.now() + ms
    const waiting = (async () => {
      while (performance.now() < until && !this.#isOver) await Bun.sleep(20)
      await work()
    })().catch((error) => this.#fail(error))
    this.#restoring.add(waiting)
    void waiting.finally(() => this.#restoring.delete(waiting))
  }

  #fail(error: unknown): void {
    this.failures.push(messageOf(error))
    this.#note(messageOf(error))
  }

  #note(what: string): void {
    this.happened.push({ atMs: Math.round(performance.now() - this.#began), what })
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
