/** What the views of a session read from the daemon, asked again while it works: calmly, and never while the page is hidden. */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { CallResult, SessionView } from '../../client/index.ts'
import { type Lanes, lanesOf } from '../../timeline/lanes.ts'
import { type Asked, useCall } from '../live/call.ts'
import { useClock } from '../live/clock.ts'

const TIMELINE_MS = 1_500 // a reader of the journal is a process of its own: not for every event
const MAX_ENTRIES = 20_000 // the daemon's own limit
const HIDDEN_MS = 500

/** Follows a value, but changes at most once in `ms`, and not while nobody looks. */
export function useCalm<Value>(value: Value, ms: number): Value {
  const [calm, setCalm] = useState(value)
  const changedAt = useRef(0)
  useEffect(() => {
    if (Object.is(calm, value)) return
    let timer: ReturnType<typeof setTimeout>
    const change = () => {
      if (document.visibilityState === 'hidden') timer = setTimeout(change, HIDDEN_MS)
      else {
        changedAt.current = performance.now()
        setCalm(() => value)
      }
    }
    timer = setTimeout(change, Math.max(0, changedAt.current + ms - performance.now()))
    return () => clearTimeout(timer)
  }, [value, calm, ms])
  return calm
}

export type TimelineAnswer = CallResult<'sessions.timeline'>
export type Entry = TimelineAnswer['entries'][number]

export interface Timeline {
  readonly asked: Asked<TimelineAnswer>
  readonly lanes: Lanes | undefined
}

export function useTimeline(session: SessionView): Timeline {
  const again = useCalm(session.cause?.seq ?? session.lastActivity, TIMELINE_MS)
  const asked = useCall('sessions.timeline', { session: session.key, limit: MAX_ENTRIES }, again)
  const isOver = session.endedAt !== undefined
  // What is open grows with the clock; a session at rest stays as it is for most of that time.
  const second = useClock((now) =>
    isOver ? 0 : Math.floor(now / (session.phase === 'idle' ? 15_000 : 1_000)),
  )
  const entries = asked.data?.entries
  const cut = asked.data?.cut === true
  const { startedAt, endedAt } = session
  // biome-ignore lint/correctness/useExhaustiveDependencies: `second` stands for the time
  const lanes = useMemo(
    () =>
      entries &&
      lanesOf(entries, {
        ...(cut ? {} : { from: startedAt }),
        ...(endedAt === undefined ? {} : { endedAt }),
        now: Date.now(),
      }),
    [entries, cut, startedAt, endedAt, second],
  )
  return { asked, lanes }
}

/** Of the session itself and its sub-agents. */
export function toolCounts(entries: readonly Entry[]): { readonly calls: number; readonly failed: number } {
  let [calls, failed] = [0, 0]
  for (const { kind, endAt, denied } of entries) {
    const isCall = kind === 'tool' || (kind === 'error' && endAt !== undefined)
    if (!isCall) continue
    calls += 1
    if (kind === 'error' && !denied) failed += 1
  }
  return { calls, failed }
}

/** What was refused, or asked and answered. */
export function decisionsIn(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ kind, denied }) => denied === true || kind === 'ask')
}
