/**
 * What goes wrong, and when: the same for the same seed. A kill about every five seconds; in between a full disk and a
 * clock that is set. The last quarter spares the daemon itself, so that one of its lives is long enough to show a leak.
 */
export type Strike =
  | { readonly what: 'daemon'; readonly atMs: number; readonly downMs: number; readonly byHook: boolean }
  | { readonly what: 'child' | 'nats' | 'client' | 'generator'; readonly atMs: number }
  | { readonly what: 'disk'; readonly atMs: number; readonly forMs: number }
  | { readonly what: 'clock'; readonly atMs: number; readonly forMs: number; readonly addedMs: number }

export const SPARED_SHARE = 0.25
/** The least and the most time between two. */
const KILL_MS = [2_000, 8_000] as const
const DISK_MS = [30_000, 60_000] as const
const CLOCK_MS = [25_000, 60_000] as const
const FULL_MS = [1_000, 6_000] as const
const SET_MS = [3_000, 15_000] as const
const DOWN_MS = [0, 2_000] as const
const BY_HOOK_SHARE = 0.4 // of the daemons that a hook starts; only the others have a clock that can be set
const LEAST_SET_MS = 1_000
const MOST_SET_MS = 2 * 3_600_000
/** Shares of the victims; the rest are clients. */
const SHARES = { daemon: 0.35, child: 0.25, nats: 0.2, generator: 0.05 } as const

export function planOf(random: () => number, lengthMs: number): Strike[] {
  const between = ([least, most]: readonly [number, number]) => least + random() * (most - least)
  const isSpared = (atMs: number) => atMs > lengthMs * (1 - SPARED_SHARE)
  const kill = (atMs: number): Strike => {
    let drawn = random()
    const [downMs, byHook] = [between(DOWN_MS), random() < BY_HOOK_SHARE]
    for (const [what, share] of Object.entries(SHARES) as [keyof typeof SHARES, number][]) {
      drawn -= share
      if (drawn >= 0) continue
      if (what === 'daemon') return isSpared(atMs) ? { what: 'child', atMs } : { what, atMs, downMs, byHook }
      return { what, atMs }
    }
    return { what: 'client', atMs }
  }
  const full = (atMs: number): Strike => ({ what: 'disk', atMs, forMs: between(FULL_MS) })
  const set = (atMs: number): Strike => {
    const [forMs, sign] = [between(SET_MS), random() < 0.5 ? -1 : 1]
    return {
      what: 'clock',
      atMs,
      forMs,
      addedMs: Math.round(sign * LEAST_SET_MS * (MOST_SET_MS / LEAST_SET_MS) ** random()),
    }
  }
  const strikes: Strike[] = []
  const often = (gap: readonly [number, number], make: (atMs: number) => Strike) => {
    for (let at = between(gap); at < lengthMs; at += between(gap)) strikes.push(make(at))
  }
  often(KILL_MS, kill)
  often(DISK_MS, full)
  often(CLOCK_MS, set)
  return strikes.sort((a, b) => a.atMs - b.atMs)
}
