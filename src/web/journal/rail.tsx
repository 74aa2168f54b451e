/**
 * The scroll bar of the whole journal: its length is the range of sequences, however many there are. Pulling it loads
 * what is there.
 */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { numberWords } from './line.ts'
import { type Range, seqAt, shareOf } from './scroll.ts'

const PULL_MS = 120 // between two loads while it is pulled
const MIN_THUMB = 0.04

interface Props {
  readonly range: Range
  /** Sequences in view. */
  readonly top: number
  readonly bottom: number
  readonly words: string
  readonly onJump: (seq: number) => void
  readonly onEnd: () => void
}

export function Rail({ range, top, bottom, words, onJump, onEnd }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const [pulled, setPulled] = useState<number>()
  const jumped = useRef({ at: 0, share: -1 })
  const length = Math.max(1, range.last - range.first + 1)
  const size = Math.min(1, Math.max(MIN_THUMB, (bottom - top + 1) / length))
  const share =
    pulled ?? shareOf(top, { first: range.first, last: Math.max(range.first, range.last - (bottom - top)) })

  const pull = ({ clientY }: PointerEvent, isLast: boolean) => {
    const box = ref.current?.getBoundingClientRect()
    if (!box) return
    const thumb = size * box.height
    const at = Math.min(1, Math.max(0, (clientY - box.top - thumb / 2) / Math.max(1, box.height - thumb)))
    setPulled(isLast ? undefined : at)
    const now = performance.now()
    // Where it is let go is mostly where it was pulled to: that is loaded already.
    if (isLast ? jumped.current.share === at : now - jumped.current.at < PULL_MS) return
    jumped.current = { at: now, share: at }
    if (at >= 0.999) onEnd()
    else onJump(seqAt(at, range))
  }
  const step = (event: KeyboardEvent) => {
    const page = Math.max(1, bottom - top)
    const tenth = Math.max(page, Math.round(length / 20))
    const to = { ArrowUp: top - page, ArrowDown: top + page, PageUp: top - tenth, PageDown: top + tenth }[
      event.key
    ]
    if (event.key === 'End') onEnd()
    else if (event.key === 'Home') onJump(range.first)
    else if (to === undefined) return
    else if (to + page >= range.last) onEnd()
    else onJump(Math.max(range.first, to))
    event.preventDefault()
  }

  return (
    <div
      ref={ref}
      className="rail"
      role="slider"
      tabIndex={0}
      aria-label="Place in the journal"
      aria-orientation="vertical"
      aria-valuemin={range.first}
      aria-valuemax={range.last}
      aria-valuenow={Math.min(range.last, Math.max(range.first, top))}
      aria-valuetext={words}
      onKeyDown={step}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        jumped.current = { at: 0, share: -1 }
        pull(event, false)
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && pull(event, false)}
      onPointerUp={(event) => pulled !== undefined && pull(event, true)}
      onPointerCancel={() => setPulled(undefined)}
    >
      <div className="rail-thumb" style={{ height: `${size * 100}%`, top: `${share * (1 - size) * 100}%` }}>
        {pulled === undefined ? null : (
          <span className="rail-words">{numberWords(seqAt(pulled, range))}</span>
        )}
      </div>
    </div>
  )
}
