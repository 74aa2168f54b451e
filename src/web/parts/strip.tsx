/** The last half hour of a session as one strip: working, waiting for you (hatched), failed, compacting; idle is empty. */
import { memo } from 'react'
import type { ActivitySegment } from '../../client/index.ts'
import { ageWords } from '../../core/text/amount.ts'
import { type ActivityStatus, LOOKS, STRIP_WORDS } from '../../sessions/state/look.ts'

export const STRIP_MS = 30 * 60_000
const MIN_PCT = 0.6 // a moment is still seen

interface Props {
  readonly segments: readonly ActivitySegment[]
  readonly now: number
}

export const Strip = memo(function Strip({ segments, now }: Props) {
  const start = now - STRIP_MS
  const seen = segments.flatMap(({ from, to, status }) => {
    const [left, right] = [Math.max(from, start), Math.min(to, now)]
    return right > left && STRIP_WORDS[status] !== null ? [{ left, right, status }] : []
  })
  return (
    <span className="strip" role="img" aria-label={wordsOf(seen)} title={wordsOf(seen)}>
      {seen.map(({ left, right, status }) => (
        <i
          key={`${left} ${status}`}
          className={`${status} tone-${LOOKS[status].tone}`}
          style={{
            left: `${((left - start) / STRIP_MS) * 100}%`,
            width: `${Math.max(MIN_PCT, ((right - left) / STRIP_MS) * 100)}%`,
          }}
        />
      ))}
    </span>
  )
})

function wordsOf(seen: readonly { left: number; right: number; status: ActivityStatus }[]): string {
  const totals = new Map<ActivityStatus, number>()
  for (const { left, right, status } of seen) totals.set(status, (totals.get(status) ?? 0) + right - left)
  const parts = [...totals].map(([status, ms]) => `${STRIP_WORDS[status]} ${ageWords(ms)}`)
  return `Last half hour: ${parts.length > 0 ? parts.join(', ') : 'idle'}`
}
