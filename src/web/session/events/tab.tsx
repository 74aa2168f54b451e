/** Every event of a session, newest first; one that is pressed shows its payload, pretty or raw. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { isDenial } from '../../../timeline/line.ts'
import { toLine, VERDICT_LOOKS } from '../../journal/line.ts'
import { useKeys } from '../../keys.ts'
import { Button } from '../../parts/controls.tsx'
import { clockWords, shown } from '../../parts/format.ts'
import { select } from '../address.ts'
import type { TabProps } from '../index.tsx'
import { EventDetail } from './detail.tsx'
import { type Listed, usePages } from './pages.ts'

const ROW_PX = 27
const NEAR_END = 20 // rows: older ones are asked for before the end is seen

export function EventsTab({ session, at }: TabProps) {
  const { events, older, newer, error, isLoading, loadOlder, loadNewer } = usePages(session, at)
  const box = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    getItemKey: (n) => events[n]?.id ?? n,
    overscan: 12,
  })
  const items = rows.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (older && lastShown > events.length - NEAR_END) loadOlder()
  })
  const chosen = at === undefined ? -1 : events.findIndex(({ seq }) => seq === at)
  const wasShown = useRef(false)
  useEffect(() => {
    if (chosen < 0 || wasShown.current) return
    wasShown.current = true
    rows.scrollToIndex(chosen, { align: 'start' })
  }, [chosen, rows])
  const choose = (n: number) => {
    const next = events[Math.min(events.length - 1, Math.max(0, n))]
    if (!next) return
    wasShown.current = true
    select(session.key, 'events', next.seq === at ? undefined : next.seq)
    rows.scrollToIndex(n, { align: 'auto' })
  }
  useKeys([
    { keys: ['j'], does: 'next event', run: () => choose(chosen + 1) },
    { keys: ['k'], does: 'event before', run: () => choose(Math.max(0, chosen - 1)) },
    {
      keys: ['Escape'],
      shown: 'esc',
      does: 'close it',
      run: () => (at === undefined ? false : select(session.key, 'events', undefined)),
    },
  ])
  if (error) return <p className="error">{error.message}</p>
  if (isLoading) return <p className="waits">Reading the journal…</p>
  if (events.length === 0) return <p className="nothing">The journal has no event of it any more.</p>
  return (
    <>
      <div className="actions under">
        <span className="quiet">
          {events.length}
          {older ? ' and more' : ''} events, newest first
        </span>
        {newer ? <Button onClick={loadNewer}>Newer ones</Button> : null}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard */}
      <section ref={box} className="events" aria-label="Events" tabIndex={0}>
        <div style={{ height: `${rows.getTotalSize()}px`, position: 'relative' }}>
          {items.map(({ index, key, start }) => {
            const event = events[index]
            return event ? (
              <div
                key={key}
                ref={rows.measureElement}
                data-index={index}
                className="session-event"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Row event={event} isOpen={index === chosen} onPress={() => choose(index)} />
              </div>
            ) : null
          })}
        </div>
      </section>
    </>
  )
}

interface RowProps {
  readonly event: Listed
  readonly isOpen: boolean
  readonly onPress: () => void
}

function Row({ event, isOpen, onPress }: RowProps) {
  const { at, agentType, agentId } = event
  const { type, tone, tool, text, verdict, why } = toLine(event)
  return (
    <>
      <button type="button" className="event-row" aria-expanded={isOpen} onClick={onPress}>
        <time dateTime={new Date(at).toISOString()}>{clockWords(at)}</time>
        <b className={tone}>{shown(type)}</b>
        <span className="cut">
          {agentId === undefined ? null : <span className="busy">{shown(agentType ?? agentId)} </span>}
          {tool === '' || isDenial(event) ? null : <span className="quiet">{tool} </span>}
          {text}
        </span>
        <span className={VERDICT_LOOKS[verdict].tone} title={why || undefined}>
          {VERDICT_LOOKS[verdict].mark} {verdict}
        </span>
      </button>
      {isOpen ? <EventDetail event={event} /> : null}
    </>
  )
}
