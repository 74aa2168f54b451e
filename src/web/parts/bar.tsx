/** A small share of something, with its number beside it. */
import { percentWords } from '../../core/text/amount.ts'

interface Props {
  readonly label: string
  /** 0 to 100. */
  readonly pct: number
  readonly tone?: 'quiet' | 'need' | 'error'
}

export function Bar({ label, pct, tone = 'quiet' }: Props) {
  const width = Math.min(100, Math.max(0, pct))
  return (
    <span className={`share ${tone}`} role="img" aria-label={`${label} ${percentWords(pct)}`}>
      <span className="share-track">
        <i style={{ width: `${width}%` }} />
      </span>
      <span className="share-number">{percentWords(pct)}</span>
    </span>
  )
}
