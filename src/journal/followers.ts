/**
 * Calls the followers of each commit after its replies have left, in the given order and isolated from each other: a
 * failing follower does not stop the next. The failure is counted for doctor, with what may be missing, and the follower
 * continues from its own position if it has one.
 */
import type { Log } from '../core/log.ts'
import type { HookEvent } from '../events/index.ts'
import type { Change } from '../sessions/state/index.ts'
import type { Store } from '../store/index.ts'

export interface CommitFollower {
  readonly name: string
  committed(events: readonly HookEvent[], changes: readonly Change[]): void
  /** What may be missing after a failure, in words for a person. */
  readonly missing: string
  /** Called after a failure: the follower finds what it missed. */
  lookAgain?(): void
}

/** Records that a follower failed. */
export type Failed = (name: string, missing: string, error: unknown) => void

export function followerFailed(store: Store, log: Log): Failed {
  return (name, missing, error) => {
    const where = error instanceof Error ? (error.stack ?? error.message) : String(error)
    log.error('followers', `${name} failed after a commit: ${where}`)
    store.counters.count('follower', `${name}: ${missing}`, Date.now())
  }
}

export class Followers {
  readonly #followers: readonly CommitFollower[]
  readonly #failed: Failed

  constructor(followers: readonly CommitFollower[], failed: Failed) {
    this.#followers = followers
    this.#failed = failed
  }

  committed(events: readonly HookEvent[], changes: readonly Change[]): void {
    for (const follower of this.#followers) {
      if (this.safely(follower, () => follower.committed(events, changes))) continue
      this.safely(follower, () => follower.lookAgain?.())
    }
  }

  /** Whether it worked; what fails is counted. */
  safely({ name, missing }: Pick<CommitFollower, 'name' | 'missing'>, work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.#failed(name, missing, error)
      return false
    }
  }
}
