import type { Places } from '../../src/core/files/paths.ts'
import { childrenOf, commandLineOf, environOf } from '../../src/core/processes/proc.ts'
import type { SettableClock } from '../clock/clock.ts'
import { daemonPid, envFor, GANTRY, isGone } from '../kit.ts'
import { natsIn } from '../litter.ts'

/** Words of command lines. Children with none of them are of short life, or git's. */
const KINDS = {
  handler: 'handler-worker',
  read: 'read-worker',
  search: 'search-worker',
  git: 'status --porcelain',
  reaper: 'read -r sign group',
} as const

export type Kind = keyof typeof KINDS | 'daemon' | 'nats'
const MANAGED = { GANTRY_NATS: 'managed', BD_NATS_PORT: '0' }
const AGAIN_MS = 1_000

export class Daemon {
  readonly at: Places
  readonly clock: SettableClock
  /** Whether hooks may start it. */
  #byHook = true

  constructor(at: Places, clock: SettableClock) {
    this.at = at
    this.clock = clock
  }

  get pid(): number | undefined {
    const pid = daemonPid(this.at)
    return pid === undefined || isGone(pid) ? undefined : pid
  }

  /**
   * The environment of hook clients. Their clock is the real one: they compare it with times of files, which the kernel
   * sets, so with a clock that is behind each of them would start a daemon.
   */
  hookEnv(): Record<string, string> {
    return this.#byHook ? {} : { GANTRY_NO_AUTOSTART: '1' }
  }

  /** A hook starts it without anything that could load a library into it. */
  get hasClock(): boolean {
    return environOf(this.pid ?? 0).some((one) => one.includes('CLOCK_FILE='))
  }

  /** Up when this resolves, whatever it takes: a full disk refuses it for a while. */
  async start(): Promise<void> {
    this.#byHook = false
    while (this.pid === undefined) {
      const child = Bun.spawn([GANTRY, 'up', '--foreground'], {
        env: envFor(this.at, { ...MANAGED, ...this.clock.env, GANTRY_READY: '1' }),
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'ignore',
      })
      const { value } = await child.stdout.getReader().read()
      if (!value) await Bun.sleep(AGAIN_MS)
    }
    this.#byHook = true
  }

  /** Until `start`, nothing starts it; or the next hook does. */
  leaveToHooks(isAllowed: boolean): void {
    this.#byHook = isAllowed
  }

  /** All of its processes by kind. The server of NATS outlives it. */
  processes(): Map<Kind, number[]> {
    const found = new Map<Kind, number[]>()
    const pid = this.pid
    const nats = natsIn(this.at.home ?? '')
    if (nats !== undefined && !isGone(nats)) found.set('nats', [nats])
    if (pid === undefined) return found
    found.set('daemon', [pid])
    for (const child of childrenOf(pid)) {
      const command = commandLineOf(child).join(' ')
      for (const [kind, word] of Object.entries(KINDS) as [Kind, string][])
        if (command.includes(word)) found.set(kind, [...(found.get(kind) ?? []), child])
    }
    return found
  }
}
