/**
 * The rows, of which only the visible ones exist. The page itself scrolls, so that phones hide their address bar and
 * "find" of the browser works on what is there.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useMedia } from '../live/shared.ts'
import type { Activity } from './activity.ts'
import type { FleetChoice } from './choice.ts'
import { Detail } from './detail.tsx'
import { RowLine } from './row.tsx'
import type { Row } from './tree.ts'

const WIDE = { group: 38, session: 30, child: 26 } as const
const WALL = { group: 54, session: 44, child: 38 } as const
const NARROW = { group: 36, session: 68, child: 28 } as const
const DETAIL = 150 // until it is measured
const TOOLBAR = 60 // stays at the top, so nothing is scrolled below it
const NARROW_QUERY = '(max-width: 820px)'
const WALL_QUERY = '(min-width: 2800px)' // as in the styles

interface Props {
  readonly rows: readonly Row[]
  readonly choice: FleetChoice
  readonly activity: Activity | undefined
  readonly onPress: (id: string) => void
  readonly onFold: (id: string) => void
}

type Item =
  | Row
  | { readonly kind: 'detail'; readonly id: string; readonly of: Extract<Row, { kind: 'session' }> }

export function List({ rows, choice, activity, onPress, onFold }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const narrow = useMedia(NARROW_QUERY)
  const wall = useMedia(WALL_QUERY)
  const top = useTop(ref)
  const items = withDetail(rows, choice.opened)
  const sizes = narrow ? NARROW : wall ? WALL : WIDE
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => {
      const kind = items[index]?.kind ?? 'session'
      return kind === 'detail' ? DETAIL : sizes[kind]
    },
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 12,
    scrollMargin: top,
    scrollPaddingStart: TOOLBAR,
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other sizes, so everything is measured again
  useLayoutEffect(() => virtual.measure(), [sizes])

  const { selected } = choice
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection moves the view
  useEffect(() => {
    const index = items.findIndex(({ id }) => id === selected)
    if (selected === undefined || index < 0 || isBusyElsewhere()) return
    virtual.scrollToIndex(index, { align: 'auto' })
    requestAnimationFrame(() =>
      ref.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus({ preventScroll: true }),
    )
  }, [selected])

  return (
    <div
      ref={ref}
      role="treegrid"
      className={activity ? 'list' : 'list no-strips'}
      aria-label="Sessions"
      aria-rowcount={rows.length}
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map(({ index, start, size }) => {
        const item = items[index]
        if (!item) return null
        if (item.kind === 'detail')
          return (
            <div
              key={item.id}
              ref={virtual.measureElement}
              data-index={index}
              role="row"
              className="detail-row"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <div role="gridcell">
                <Detail session={item.of.session} host={item.of.host} />
              </div>
            </div>
          )
        return (
          <RowLine
            key={item.id}
            row={item}
            index={index}
            start={start - top}
            size={size}
            selected={item.id === selected}
            opened={item.id === choice.opened}
            strips={activity !== undefined && !narrow}
            segments={item.kind === 'session' ? activity?.segments.get(item.session.key) : undefined}
            now={activity?.now ?? 0}
            onPress={onPress}
            onFold={onFold}
          />
        )
      })}
    </div>
  )
}

function withDetail(rows: readonly Row[], opened: string | undefined): readonly Item[] {
  const at = rows.findIndex(({ id, kind }) => id === opened && kind === 'session')
  const row = rows[at]
  if (row?.kind !== 'session') return rows
  return [
    ...rows.slice(0, at + 1),
    { kind: 'detail', id: `detail ${row.id}`, of: row },
    ...rows.slice(at + 1),
  ]
}

/** Somebody types, or has the focus in a card: a list must not take it away. */
function isBusyElsewhere(): boolean {
  return document.activeElement?.closest('.card, dialog, input, textarea, select') != null
}

/** Where the list begins in the document: cards above it come and go. */
function useTop(ref: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const at = ref.current?.getBoundingClientRect().top
      if (at !== undefined) setTop(Math.round(at + scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    if (ref.current?.parentElement)
      for (const one of ref.current.parentElement.children) observer.observe(one)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [ref])
  return top
}
