/**
 * The lines in view. The scroller holds only what is in memory; when an end comes near, the next part is loaded there, and
 * what one reads stays where it is. Lines have one height, so that the place can be set before the browser paints:
 * a general virtual list would show other lines for one frame.
 */
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { dayOf } from '../../core/time/days.ts'
import type { Line } from './line.ts'
import { Row } from './row.tsx'
import { indexOf, type View, visibleIn } from './scroll.ts'
import type { Aim, Part } from './window.ts'

const WIDE = 26 // px of a line
const WALL = 36
const NARROW = 46
const HEAD = 30 // px: what is before the first line
const MORE = 10 // lines outside of the view
const NEAR = 80 // lines from an end: time to load
const END_PX = 4
const NARROW_PX = 560 // as in journal.css
const WALL_QUERY = '(min-width: 2800px)' // as in the styles

interface Props {
  readonly part: Part
  readonly selected: number | undefined
  readonly now: number
  /** What is said above the first line. */
  readonly head: ReactNode
  /** Stays at the newest line. */
  readonly follows: boolean
  readonly onPress: (line: Line) => void
  readonly onOlder: () => void
  readonly onNewer: () => void
  readonly onView: (view: InView) => void
}

export interface InView {
  readonly top: Line | undefined
  readonly bottom: Line | undefined
  readonly atEnd: boolean
}

export function List(props: Props) {
  const { part, selected, now, head, follows, onPress, onOlder, onNewer, onView } = props
  const { lines, aim, older, newer, busy, error } = part
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<View & { readonly row: number }>({ top: 0, height: 0, row: WIDE })
  const anchor = useRef({ seq: 0, offset: 0, atEnd: true })
  const aimed = useRef<Aim>(undefined)
  const rendered = useRef(WIDE)

  const read = useCallback(() => {
    const element = box.current
    if (!element) return
    const { scrollTop: top, clientHeight: height, clientWidth, scrollHeight } = element
    const row = clientWidth < NARROW_PX ? NARROW : matchMedia(WALL_QUERY).matches ? WALL : WIDE
    // The place is by the lines as they stand; another height is for the next render.
    const at = Math.max(0, Math.floor((top - HEAD) / rendered.current))
    const atEnd = scrollHeight - top - height <= END_PX
    anchor.current = { seq: lines[at]?.seq ?? 0, offset: top - HEAD - at * rendered.current, atEnd }
    setView((was) =>
      was.top === top && was.height === height && was.row === row ? was : { top, height, row },
    )
  }, [lines])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `view.row` changes every place
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const { row } = view
    rendered.current = row
    const { seq, offset, atEnd } = anchor.current
    if (aim && aim !== aimed.current) {
      aimed.current = aim
      if ('end' in aim) element.scrollTop = element.scrollHeight
      else element.scrollTop = HEAD + indexOf(lines, aim.seq) * row - element.clientHeight / 3
    } else if (follows && atEnd) element.scrollTop = element.scrollHeight
    else if (seq > 0) element.scrollTop = HEAD + indexOf(lines, seq) * row + offset
    read()
  }, [lines, aim, view.row])

  useLayoutEffect(() => {
    const observer = new ResizeObserver(read)
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [read])

  const { start, end } = visibleIn(view, lines.length, view.row, HEAD)
  const [top, bottom] = [lines[start], lines[Math.max(start, end - 1)]]
  const { atEnd } = anchor.current
  useEffect(() => onView({ top, bottom, atEnd }), [top, bottom, atEnd, onView])
  useEffect(() => {
    if (busy || error) return
    if (older && start < NEAR) onOlder()
    else if (newer && end > lines.length - NEAR) onNewer()
  }, [busy, error, older, newer, start, end, lines, onOlder, onNewer])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new selection moves the view, and another height of the lines
  useLayoutEffect(() => {
    const element = box.current
    const at = selected === undefined ? -1 : indexOf(lines, selected)
    if (!element || lines[at]?.seq !== selected) return
    const above = HEAD + at * view.row
    if (above < element.scrollTop) element.scrollTop = above - view.row
    else if (above + view.row > element.scrollTop + element.clientHeight)
      element.scrollTop = above + 2 * view.row - element.clientHeight
  }, [selected, view.row])

  const from = Math.max(0, start - MORE)
  const shown = lines.slice(from, end + MORE)
  return (
    <div
      ref={box}
      role="listbox"
      id="events"
      className="events-box"
      aria-label="Events"
      aria-busy={busy}
      aria-activedescendant={shown.some(({ seq }) => seq === selected) ? `event-${selected}` : undefined}
      tabIndex={0}
      onScroll={read}
    >
      <div className="events-all" style={{ height: HEAD + lines.length * view.row }}>
        <div className="events-head">{head}</div>
        {shown.map((line, n) => (
          <Row
            key={line.seq}
            line={line}
            index={line.seq - part.first + 1}
            top={HEAD + (from + n) * view.row}
            height={view.row}
            selected={line.seq === selected}
            newDay={isNewDay(lines[from + n - 1], line)}
            now={now}
            onPress={onPress}
          />
        ))}
      </div>
    </div>
  )
}

function isNewDay(before: Line | undefined, line: Line): boolean {
  return before !== undefined && dayOf(before.at) !== dayOf(line.at)
}
