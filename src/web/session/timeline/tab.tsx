/** Where the time went; then what it changed, and what that cost. */
import { lazy, memo, Suspense, useEffect, useMemo, useState } from 'react'
import type { Span } from '../../../timeline/lanes.ts'
import { Button } from '../../parts/controls.tsx'
import { go } from '../../router.ts'
import { select, shownPath } from '../address.ts'
import { toolCounts } from '../entries.ts'
import { SessionFigures } from '../figures.tsx'
import type { TabProps } from '../index.tsx'
import type { Range } from './range.ts'
import { Swimlane } from './swimlane.tsx'
import { SpanTable } from './table.tsx'

// They have nothing to do with the zoom, which renders this tab for every pixel of a drag.
const usage = () => import('../usage.tsx')
const changes = () => import('../changes/tab.tsx')
const UsageChart = memo(lazy(async () => ({ default: (await usage()).UsageChart })))
const Changes = memo(lazy(async () => ({ default: (await changes()).Changes })))

export function TimelineTab({ session, timeline: { asked, lanes }, at }: TabProps) {
  const [range, setRange] = useState<Range>()
  const [table, setTable] = useState(false)
  const [picked, setPicked] = useState<Span>()
  // Both are read by processes of the daemon: the timeline, which is on top, does not share the machine with the rest.
  const isAnswered = asked.data !== undefined || asked.state === 'failed'
  useEffect(() => {
    for (const load of [usage, changes]) load().catch(() => {}) // the component that shows it reports the error
  }, [])
  const tools = useMemo(() => asked.data && toolCounts(asked.data.entries), [asked.data])
  // From the address after a reload; a span without an event is known only here.
  const selected = useMemo(() => {
    const all = lanes?.lanes.flatMap(({ spans }) => spans) ?? []
    const same =
      picked &&
      all.find((span) => span.from === picked.from && span.row === picked.row && span.label === picked.label)
    return same ?? (at === undefined ? undefined : all.findLast(({ seq }) => seq === at))
  }, [lanes, picked, at])
  const onSelect = (span: Span | undefined) => {
    setPicked(span)
    select(session.key, 'timeline', span?.seq)
  }
  const onOpen = ({ seq }: Span) =>
    seq !== undefined && go(shownPath(session.key, { tab: 'events', at: seq }))
  return (
    <>
      <SessionFigures session={session} sums={lanes?.sums} tools={tools} />
      {asked.state === 'failed' ? <p className="error">{asked.error.message}</p> : null}
      {lanes && lanes.lanes.length > 0 ? (
        <>
          <Swimlane {...{ lanes, range, selected, onSelect, onOpen }} onRange={setRange}>
            <Button aria-pressed={table} onClick={() => setTable(!table)}>
              Table
            </Button>
          </Swimlane>
          {asked.data?.cut ? <p className="quiet">Earlier entries are left out.</p> : null}
          <SpanTable lanes={lanes} range={table ? range : undefined} isShown={table} />
        </>
      ) : null}
      {lanes && lanes.lanes.length === 0 ? (
        <p className="nothing">Nothing happened yet: turns, tools and waits appear here as they begin.</p>
      ) : null}
      {isAnswered ? (
        <Suspense fallback={null}>
          <Changes session={session} at={undefined} part="timeline" />
          <UsageChart session={session} />
        </Suspense>
      ) : null}
    </>
  )
}
