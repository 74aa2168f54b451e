/**
 * Whose a lag is. Between the moment that something became true and the moment that gantry showed it lie three: the
 * agent runs a hook or writes down what happened, that reaches the daemon, and the daemon makes it visible. Pure.
 *
 *   sharesOf(lags, told)   // → [{ agent: 38, way: 3, gantry: 2, own: 5, by: 'Stop by socket', … }]
 */
import type { Lag } from './timeline.ts'

/** An event of the journal, by its clocks. */
export interface Told {
  /** By the clock of whoever knew it: the hook client at its start, or the file that a healer read. */
  readonly at: number
  /** By the daemon's. */
  readonly receivedAt: number
  readonly type: string
  readonly transport: string
}

export interface Share extends Lag {
  /** Of the lag: until the agent said or wrote so. Nobody could know it sooner. */
  readonly agent: number
  /** Of the lag: from there until the daemon had it, a hook client's way, or how long a healer took to look. */
  readonly way: number
  /** Of the lag: from there until it was shown. */
  readonly gantry: number
  /** From the agent's word until it was shown, also where that was not late. No mark of a script has a part in it. */
  readonly own: number
  readonly by: string
}

/** Of the changes that were shown when they came. `told` is in the order of the journal. */
export function sharesOf(lags: readonly Lag[], told: readonly Told[]): Share[] {
  return lags.flatMap((lag) => {
    const { trueAt, shownAt } = lag
    if (shownAt === undefined) return []
    const cause = told.findLast(({ receivedAt }) => receivedAt <= shownAt)
    if (!cause) return []
    const until = Math.max(shownAt, trueAt)
    const knownAt = Math.min(Math.max(cause.at, trueAt), until)
    const heardAt = Math.min(Math.max(cause.receivedAt, knownAt), until)
    const parts = { agent: knownAt - trueAt, way: heardAt - knownAt, gantry: until - heardAt }
    return [{ ...lag, ...parts, own: shownAt - cause.at, by: `${cause.type} by ${cause.transport}` }]
  })
}

export function sharesLine(shares: readonly Share[]): string {
  const sum = (of: (share: Share) => number) => shares.reduce((all, share) => all + of(share), 0).toFixed(0)
  const parts = `the agent's own ${sum(({ agent }) => agent)}, on the way ${sum(({ way }) => way)}`
  return `of ${sum(({ ms }) => ms)} ms of lag: ${parts}, gantry ${sum(({ gantry }) => gantry)}`
}
