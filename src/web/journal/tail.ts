/** New events as they are stored: into the list while one looks at its end, else only their number. */
import { useEffect, useState } from 'react'
import { Alarm } from '../../core/time/alarm.ts'
import { call } from '../live/call.ts'
import { follow } from '../live/connection.ts'
import { useLive } from '../live/store.ts'
import { type Filters, passes, tailQuery } from './filters.ts'
import { type Line, toLine } from './line.ts'
import type { JournalWindow } from './window.ts'

const BATCH_MS = 100 // one render for what comes within
const LOOK_MS = 2_000
const ANSWERED_MS = 1_000 // by then most events have their verdict

interface Wanted {
  readonly part: JournalWindow
  readonly filters: Filters
  /** One looks at the newest event, and nobody paused. */
  readonly follows: boolean
  readonly paused: boolean
}

/** The newest sequence that is known. */
export function useTail({ part, filters, follows, paused }: Wanted): number {
  const [newest, setNewest] = useState(0)
  const isLive = useLive(({ link }) => link.state === 'live')
  useEffect(() => {
    if (!follows) return
    // Whether gantry answered so is not in the event.
    return filters.verdict === undefined ? followInto(part, filters) : every(() => void part.check())
  }, [part, filters, follows])
  useEffect(() => {
    if (follows || !isLive) return
    return every(() =>
      call('events.page', { limit: 1 }).then(
        ({ last }) => {
          setNewest(last)
          if (!paused) part.grown(last)
        },
        () => {}, // the connection says when the daemon is away
      ),
    )
  }, [part, follows, paused, isLive])
  return newest
}

function followInto(part: JournalWindow, filters: Filters): () => void {
  let lines: Line[] = []
  let last = part.get().to
  let unanswered = 0
  const renewing = new Alarm(() => void part.renew(unanswered))
  const flush = () => {
    const [first] = lines
    part.append(lines, last)
    lines = []
    if (!first || renewing.isSet) return
    unanswered = first.seq
    renewing.within(ANSWERED_MS)
  }
  const next = new Alarm(flush)
  const end = follow({
    after: last,
    query: tailQuery(filters),
    got: (events, at) => {
      for (const event of events) {
        const line = toLine(event)
        if (passes(filters, line)) lines.push(line)
      }
      last = at
      next.within(BATCH_MS)
    },
  })
  return () => {
    end()
    renewing.clear()
    if (!next.isSet) return
    next.clear()
    flush()
  }
}

function every(run: () => unknown): () => void {
  const look = () => document.visibilityState === 'visible' && run()
  look()
  const timer = setInterval(look, LOOK_MS)
  return () => clearInterval(timer)
}
