/**
 * Who is told of each commit, once its answers have left: in the order given, each for itself. One that fails keeps nobody
 * else from being told. It is counted for doctor, with what may be missing, and goes on from its own place where it has one.
 */

import type { Log } from '../core/log.ts'
import type { HookEvent } from '../events/index.ts'
import type { Change } from '../sessions/state/index.ts'
import type { Store } from '../store/index.ts'

export interface Follower {
  readonly name: string
  committed(events: readonly HookEvent[], changes: readonly Change[]): void
  /** What may be missing after it failed, in words for a person. */
  readonly missing: string
  /** It failed: finds out by itself what it was not told. */
  lookAgain?(): void
}

/** Notes that somebody failed who follows the journal. */
export type Failed = (name: string, missing: string, error: unknown) => void

export function followerFailed(store: Store, log: Log): Failed {
  return (name, missing, error) => {
    const where = error instanceof Error ? (error.stack ?? error.message) : String(error)
    log.error('followers', `${name} failed after a commit: ${where}`)
    store.counters.count('follower', `${name}: ${missing}`, Date.now())
  }
}

export class Followers {
  readonly #followers: readonly Follower[]
  readonly #failed: Failed

  constructor(followers: readonly Follower[], failed: Failed) {
    this.#followers = followers
    this.#failed = failed
  }

  committed(events: readonly HookEvent[], changes: readonly Change[]): void {
    for (const follower of this.#followers) {
      if (this.#safely(follower, () => follower.committed(events, changes))) continue
      this.#safely(follower, () => follower.lookAgain?.())
    }
  }

  #safely({ name, missing }: Follower, work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.#failed(name, missing, error)
      return false
    }
  }
}
