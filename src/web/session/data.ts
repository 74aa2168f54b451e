/** What the views of a session read from the daemon, asked again while it works: throttled, and never while the page is hidden. */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { CallResult, SessionView } from '../../client/index.ts'
import { boundsOf, type Lanes, lanesOf } from '../../timeline/lanes.ts'
import { type Asked, useCall } from '../live/call.ts'
import { useClock } from '../live/clock.ts'
import { timelineArgs } from './ahead.ts'

const TIMELINE_MS = 1_500 // a reader of the journal is a process of its own: not for every event
const LONG_TIMELINE_MS = 6_000
const LONG = 4_000 // entries
const HIDDEN_MS = 500

/** Follows a value, but changes at most once in `ms`, and not while nobody looks. */
export function useThrottled<Value>(value: Value, ms: number): Value {
  const [shown, setShown] = useState(value)
  const changedAt = useRef(0)
  useEffect(() => {
    if (Object.is(shown, value)) return
    let timer: ReturnType<typeof setTimeout>
    const change = () => {
      if (document.visibilityState === 'hidden') timer = setTimeout(change, HIDDEN_MS)
      else {
        changedAt.current = performance.now()
        setShown(() => value)
      }
    }
    timer = setTimeout(change, Math.max(0, changedAt.current + ms - performance.now()))
    return () => clearTimeout(timer)
  }, [value, shown, ms])
  return shown
}

type TimelineAnswer = CallResult<'sessions.timeline'>

export interface Timeline {
  readonly asked: Asked<TimelineAnswer>
  readonly lanes: Lanes | undefined
}

export function useTimeline(session: SessionView): Timeline {
  const [isLong, setLong] = useState(false)
  const again = useThrottled(
    session.cause?.seq ?? session.lastActivity,
    isLong ? LONG_TIMELINE_MS : TIMELINE_MS,
  )
  const asked = useCall('sessions.timeline', timelineArgs(session.key), again)
  const isOver = session.endedAt !== undefined
  // What is open grows with the clock; a session at rest stays as it is for most of that time.
  const second = useClock((now) =>
    isOver ? 0 : Math.floor(now / (session.phase === 'idle' ? 15_000 : 1_000)),
  )
  const entries = asked.data?.entries
  const cut = asked.data?.cut === true
  useEffect(() => setLong((entries?.length ?? 0) > LONG), [entries])
  const { startedAt, endedAt } = session
  // biome-ignore lint/correctness/useExhaustiveDependencies: `second` stands for the time
  const lanes = useMemo(
    () => entries && lanesOf(entries, boundsOf({ startedAt, endedAt }, cut, Date.now())),
    [entries, cut, startedAt, endedAt, second],
  )
  return { asked, lanes }
}
