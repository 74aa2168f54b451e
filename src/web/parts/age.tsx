/** How long ago, ticking by itself: no list is rendered for it. */
import { ageWords, spanWords } from '../../core/text/amount.ts'
import { useClock } from '../live/clock.ts'

interface Props {
  readonly since: number
  /** Stops there. */
  readonly until?: number | undefined
  /** `2m 14s` instead of `2m`: for what waits. */
  readonly exact?: boolean
  readonly className?: string
}

export function Age({ since, until, exact = false, className }: Props) {
  const words = exact ? spanWords : ageWords
  const text = useClock((now) => words((until ?? now) - since))
  return (
    <time
      className={className}
      dateTime={new Date(since).toISOString()}
      title={new Date(since).toLocaleString()}
    >
      {text}
    </time>
  )
}
