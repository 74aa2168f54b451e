/** The last half hour of a session as one strip: working, waiting for you (hatched), failed, compacting; idle is empty. */
import { memo } from 'react'
import { ageWords } from './format.ts'

export interface Segment {
  readonly from: number
  readonly to: number
  readonly status: string
}

export const STRIP_MS = 30 * 60_000
const MIN_PCT = 0.6 // a moment is still seen

const WORDS: Readonly<Record<string, string>> = {
  working: 'worked',
  asks: 'waited for you',
  failed: 'failed',
  compacting: 'compacted',
}

interface Props {
  readonly segments: readonly Segment[]
  readonly now: number
}

export const Strip = memo(function Strip({ segments, now }: Props) {
  const start = now - STRIP_MS
  const seen = segments.flatMap(({ from, to, status }) => {
    const [left, right] = [Math.max(from, start), Math.min(to, now)]
    return right > left && status in WORDS ? [{ left, right, status }] : []
  })
  return (
    <span className="strip" role="img" aria-label={wordsOf(seen)} title={wordsOf(seen)}>
      {seen.map(({ left, right, status }) => (
        <i
          key={`${left} ${status}`}
          className={status}
          style={{
            left: `${((left - start) / STRIP_MS) * 100}%`,
            width: `${Math.max(MIN_PCT, ((right - left) / STRIP_MS) * 100)}%`,
          }}
        />
      ))}
    </span>
  )
})

function wordsOf(seen: readonly { left: number; right: number; status: string }[]): string {
  const totals = new Map<string, number>()
  for (const { left, right, status } of seen) totals.set(status, (totals.get(status) ?? 0) + right - left)
  const parts = [...totals].map(([status, ms]) => `${WORDS[status]} ${ageWords(ms)}`)
  return `Last half hour: ${parts.length > 0 ? parts.join(', ') : 'idle'}`
}
