/**
 * The line for status-right: how many sessions are in which state, and who needs you first and why.
 *
 *   ✖1 ▲2 ●3 ✓1 brave-otter: Permission for Bash
 */
import { ENGINE_LOOKS, ENGINE_ORDER, type EngineStatus } from '../sessions/state/index.ts'
import type { TmuxSettings } from './config.ts'
import { plainText } from './plain-text.ts'

/** Maximum width without colours. */
export const SUMMARY_COLUMNS = 70
const NAME_COLUMNS = 20
const REASON_COLUMNS = 28

export interface Summarized {
  readonly name: string
  readonly status: EngineStatus
  /** Why it needs you, since when, and its rank among those that do. */
  readonly need?: { readonly reason: string; readonly since: number; readonly rank: number }
}

/** The input of the line. */
interface Tallied {
  readonly counts: ReadonlyMap<EngineStatus, number>
  /** Sessions that need you. */
  readonly needing: Iterable<Summarized>
}

/** With tmux styles; empty if there is no session. */
export function summaryOf({ counts, needing }: Tallied, settings: TmuxSettings): string {
  const counted = ENGINE_ORDER.flatMap((status) => {
    const count = counts.get(status) ?? 0
    return count === 0 ? [] : [coloured(`${ENGINE_LOOKS[status].mark}${count}`, settings[status])]
  })
  const first = firstInNeed(needing)
  if (!first) return counted.join(' ')
  const reason = plainText(first.need?.reason ?? '', REASON_COLUMNS)
  const who = plainText(first.name, NAME_COLUMNS)
  return [...counted, coloured(reason === '' ? who : `${who}: ${reason}`, settings[first.status])].join(' ')
}

function firstInNeed(needing: Iterable<Summarized>): Summarized | undefined {
  let first: Summarized | undefined
  for (const one of needing) if (!first || byNeed(one, first) < 0) first = one
  return first
}

function byNeed(a: Summarized, b: Summarized): number {
  return (a.need?.rank ?? 0) - (b.need?.rank ?? 0) || (a.need?.since ?? 0) - (b.need?.since ?? 0)
}

function coloured(text: string, colour: string): string {
  return colour === '' ? text : `#[fg=${colour}]${text}#[default]`
}
