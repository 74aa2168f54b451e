/**
 * The demo for an empty fleet: recorded sessions of five agents, played into this daemon for a while by a process of its own,
 * through the door that every replay takes. They are marked as replayed, nobody decides about them, and they end with the demo.
 */
import { GantryError } from '../../core/errors.ts'
import { selfCommand } from '../../core/processes/self.ts'

const LASTS_MS = 180_000

interface DemoParts {
  /** The state folder's home as `--home` takes it. */
  readonly home: string
  /** Sessions of real agents, which the demo would stand between. */
  readonly living: () => number
  /** Other programs read this daemon's events on a NATS server that is not its own. */
  readonly isHeard: () => boolean
}

export class Demo {
  readonly #parts: DemoParts
  #player: Bun.Subprocess<'pipe', 'ignore', 'ignore'> | undefined
  #until = 0

  constructor(parts: DemoParts) {
    this.#parts = parts
  }

  /** Returns until when it plays. A second start leaves the first as it is. */
  start(now: number): { readonly until: number } {
    const { home, living, isHeard } = this.#parts
    if (this.#player) return { until: this.#until }
    if (living() > 0)
      throw new GantryError(
        'VALIDATION_ERROR',
        'Your own agents are at work here. In a terminal, "gantry demo" plays in a daemon of its own.',
      )
    if (isHeard())
      throw new GantryError(
        'VALIDATION_ERROR',
        'Your NATS server would hear of recorded sessions. In a terminal, "gantry demo" plays in a daemon of its own.',
      )
    this.#until = now + LASTS_MS
    const player = Bun.spawn([...selfCommand(), 'demo-worker', String(LASTS_MS), '--home', home], {
      cwd: '/',
      env: process.env,
      stdin: 'pipe', // it ends with the daemon
      stdout: 'ignore',
      stderr: 'ignore',
    })
    this.#player = player
    void player.exited.then(() => {
      if (this.#player === player) this.#player = undefined
    })
    return { until: this.#until }
  }

  /** Its sessions end, as far as the player can still tell them to. */
  stop(): boolean {
    if (!this.#player) return false
    this.#player.kill('SIGTERM')
    return true
  }
}
