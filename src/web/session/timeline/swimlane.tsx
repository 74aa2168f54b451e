/**
 * Where the time of a session went, on one canvas: a lane for turns, waits, tools, each sub-agent, compactions, denials. It
 * zooms and pans; a span that is pointed at or selected is told in words. The table beside it says the same.
 */
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Lanes, Span } from '../../../timeline/lanes.ts'
import { useKeys } from '../../keys.ts'
import { Button } from '../../parts/controls.tsx'
import { clockWords, shown } from '../../parts/format.ts'
import type { Block } from './blocks.ts'
import { type Hand, lifted, moved, pressed } from './hand.ts'
import { laneName, lineOf } from './labels.ts'
import { coloursOf, isSame, layoutOf, paint, spanAt, timeAt } from './paint.ts'
import { isWhole, lengthOf, panned, type Range, showing, zoomed } from './range.ts'

interface Props {
  readonly lanes: Lanes
  readonly range: Range | undefined
  readonly onRange: (range: Range | undefined) => void
  readonly selected: Span | undefined
  readonly onSelect: (span: Span | undefined) => void
  readonly onOpen: (span: Span) => void
  /** More buttons. */
  readonly children?: ReactNode
}

const STEP = 0.7 // of the time in view, for one press of +
const PAN = 0.2

export function Swimlane({ lanes, range: chosen, onRange, selected, onSelect, onOpen, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useRef<readonly (readonly Block[])[]>([])
  const hand = useRef<Hand>({ at: new Map() })
  const [width, setWidth] = useState(0)
  const [theme, setTheme] = useState(0)
  const [hovered, setHovered] = useState<Block>()
  const whole = useMemo(
    () => ({ from: lanes.from, to: Math.max(lanes.to, lanes.from + 1) }),
    [lanes.from, lanes.to],
  )
  const range = chosen ?? whole
  const layout = useMemo(() => layoutOf(lanes.lanes, width), [lanes.lanes, width])

  useEffect(() => {
    const element = box.current
    if (!element) return
    const watch = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)))
    watch.observe(element)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const onTheme = () => setTheme((n) => n + 1)
    dark.addEventListener('change', onTheme)
    return () => {
      watch.disconnect()
      dark.removeEventListener('change', onTheme)
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `theme` stands for the colours
  useEffect(() => {
    const element = canvas.current
    if (!element || width === 0) return
    const ratio = devicePixelRatio || 1
    const [wide, high] = [Math.round(width * ratio), Math.round(layout.height * ratio)]
    if (element.width !== wide) element.width = wide
    if (element.height !== high) element.height = high
    const context = element.getContext('2d')
    if (!context) return
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const font = getComputedStyle(element).fontFamily
    const colours = coloursOf(element)
    drawn.current = paint(context, { layout, range, selected, hovered: hovered?.span, colours, font })
  }, [layout, range, selected, hovered, width, theme])

  const show = (next: Range) => onRange(isWhole(next, whole) ? undefined : next)
  const zoom = (factor: number, at = middleOf(range, selected)) => show(zoomed(range, factor, at, whole))
  const pan = (share: number) => show(panned(range, share * lengthOf(range), whole))
  const choose = (span: Span | undefined) => {
    if (!span) return
    onSelect(span)
    if (chosen) show(showing(range, span, whole))
  }
  const step = (by: number) => choose(neighbour(lanes, selected, by, range))
  const isHere = () => box.current?.contains(document.activeElement) === true
  useKeys([
    {
      keys: ['+', '=', '-', '_'],
      shown: '+ −',
      does: 'zoom the timeline',
      run: (key) => zoom('+='.includes(key) ? STEP : 1 / STEP),
    },
    { keys: ['0'], does: 'the whole timeline', run: () => onRange(undefined) },
    {
      keys: ['ArrowLeft', 'ArrowRight'],
      shown: '← →',
      does: 'pan the timeline',
      run: (key) => pan(key === 'ArrowLeft' ? -PAN : PAN),
    },
    {
      keys: ['j', 'k'],
      shown: 'j k',
      does: 'next and previous span',
      run: (key) => step(key === 'j' ? 1 : -1),
    },
    {
      keys: ['ArrowDown', 'ArrowUp'],
      shown: '↑ ↓',
      does: 'other lane, if the timeline has the focus',
      run: (key) => (isHere() ? lane(key === 'ArrowDown' ? 1 : -1) : false),
    },
  ])
  const lane = (by: number) => choose(otherLane(lanes, selected, by, range))

  const latest = useRef({ range, whole, layout, zoom, show })
  useEffect(() => {
    latest.current = { range, whole, layout, zoom, show }
  })
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    // React listens passively, but zooming has to keep the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      const now = latest.current
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey
      const mayZoom = event.ctrlKey || event.metaKey || document.activeElement === box.current
      if (!isSideways && !mayZoom) return
      event.preventDefault()
      const px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
      if (isSideways) {
        const by = ((event.deltaX || event.deltaY) * px) / Math.max(1, now.layout.width - now.layout.gutter)
        now.show(panned(now.range, by * lengthOf(now.range), now.whole))
      } else {
        const factor = Math.exp(Math.max(-1, Math.min(1, event.deltaY * px * (event.ctrlKey ? 0.01 : 0.002))))
        now.zoom(factor, timeAt(now.layout, now.range, event.offsetX))
      }
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [])

  const place = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLCanvasElement>) => {
    const { left, top } = currentTarget.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const onMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const at = place(event)
    const next = moved(hand.current, event.pointerId, at, { layout, range, whole })
    if (next) {
      setHovered(undefined)
      show(next)
    } else if (hand.current.at.size === 0) setHovered(spanAt(drawn.current, layout, at.x, at.y))
  }
  const onUp = (event: PointerEvent<HTMLCanvasElement>) => {
    const at = place(event)
    if (!lifted(hand.current, event.pointerId)) return
    const block = spanAt(drawn.current, layout, at.x, at.y)
    onSelect(block?.span)
    if (block && block.count > 1) zoom(0.25, block.span.from)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && selected) {
      event.preventDefault()
      onOpen(selected)
    } else if (event.key === 'Escape' && selected) onSelect(undefined)
  }
  const told = hovered?.span ?? selected
  const toldLane = told && lanes.lanes.find(({ spans }) => spans.some((span) => isSame(span, told)))
  const isNear = chosen !== undefined
  return (
    <div className="swimlane">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of the canvas and its keys, no form */}
      <div
        ref={box}
        className="swimlane-box"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes keys
        tabIndex={0}
        aria-label={`Timeline from ${clockWords(range.from)} to ${clockWords(range.to)}${isNear ? '' : ', the whole session'}`}
        aria-keyshortcuts="+ - 0 j k ArrowLeft ArrowRight ArrowUp ArrowDown Enter"
        data-from={Math.round(range.from)}
        data-to={Math.round(range.to)}
        data-whole={isNear ? undefined : ''}
        onKeyDown={onKeyDown}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={pictureWords(lanes)}
          style={{ width: '100%', height: `${layout.height}px` }}
          onPointerDown={(event) => {
            if (event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            pressed(hand.current, event.pointerId, place(event), range)
            box.current?.focus({ preventScroll: true })
          }}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerCancel={(event) => void lifted(hand.current, event.pointerId)}
          onPointerLeave={() => setHovered(undefined)}
          onDoubleClick={(event) => zoom(0.4, timeAt(layout, range, event.nativeEvent.offsetX))}
        />
      </div>
      <div className="swimlane-foot">
        <p className="readout" role="status">
          {told ? (
            <>
              <b>{toldLane ? laneName(toldLane) : ''}</b> {shown(lineOf(told))}
              {hovered && hovered.count > 1 ? (
                <span className="quiet"> and {hovered.count - 1} more here</span>
              ) : null}
            </>
          ) : (
            <span className="quiet">
              {clockWords(range.from)} – {clockWords(range.to)}
              <span className="hint"> · drag pans, ctrl + wheel or pinch zooms, a click selects</span>
            </span>
          )}
        </p>
        <div className="actions">
          <Button hint="−" aria-label="Zoom out" disabled={!isNear} onClick={() => zoom(1 / STEP)}>
            Out
          </Button>
          <Button hint="+" aria-label="Zoom in" onClick={() => zoom(STEP)}>
            In
          </Button>
          <Button hint="0" disabled={!isNear} onClick={() => onRange(undefined)}>
            Fit
          </Button>
          {selected?.seq === undefined ? null : (
            <Button hint="↵" onClick={() => onOpen(selected)}>
              Event
            </Button>
          )}
          {children}
        </div>
      </div>
    </div>
  )
}

function middleOf(range: Range, selected: Span | undefined): number {
  const middle = (range.from + range.to) / 2
  if (!selected || selected.to < range.from || selected.from > range.to) return middle
  return (Math.max(selected.from, range.from) + Math.min(selected.to, range.to)) / 2
}

/** The next span of the same lane; without a selection, the first one in view. */
function neighbour({ lanes }: Lanes, selected: Span | undefined, by: number, range: Range): Span | undefined {
  if (selected)
    for (const { spans } of lanes) {
      const at = spans.findIndex((span) => isSame(span, selected))
      if (at >= 0) return spans[at + by] ?? selected
    }
  return lanes.flatMap(({ spans }) => spans.find(({ to }) => to >= range.from) ?? [])[0]
}

/** Of the lane above or below, the span nearest in time. */
function otherLane({ lanes }: Lanes, selected: Span | undefined, by: number, range: Range): Span | undefined {
  const at = selected ? lanes.findIndex(({ spans }) => spans.some((span) => isSame(span, selected))) : -1
  const lane = lanes[Math.min(lanes.length - 1, Math.max(0, at + by))]
  const near = selected?.from ?? range.from
  return lane?.spans.reduce<Span | undefined>(
    (best, span) => (best && Math.abs(best.from - near) <= Math.abs(span.from - near) ? best : span),
    undefined,
  )
}

function pictureWords({ lanes }: Lanes): string {
  const parts = lanes.map((lane) => `${laneName(lane)}: ${lane.spans.length}`)
  return `Swimlane. ${parts.join(', ')}. The table below says the same.`
}
