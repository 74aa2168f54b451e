/** Short notices at the edge: what an action did, or why it did not. Screen readers hear them. */
import { messageOf } from '../../core/errors.ts'
import { shared } from '../live/shared.ts'

type Tone = 'plain' | 'done' | 'error'

interface Notice {
  readonly id: number
  readonly text: string
  readonly tone: Tone
}

const SHOWN_MS = { plain: 4_000, done: 3_000, error: 9_000 } as const
const MAX = 3

const notices = shared<readonly Notice[]>([])
let last = 0

export function toast(text: string, tone: Tone = 'plain'): void {
  const id = ++last
  notices.set([...notices.get().filter((one) => one.text !== text), { id, text, tone }].slice(-MAX))
  setTimeout(() => notices.set(notices.get().filter((one) => one.id !== id)), SHOWN_MS[tone])
}

/** For what went wrong, whatever it was. */
export function toastError(error: unknown): void {
  toast(messageOf(error), 'error')
}

export function Toasts() {
  return (
    <div className="toasts" role="status" aria-live="polite">
      {notices.use().map(({ id, text, tone }) => (
        <div key={id} className={`toast ${tone}`}>
          {text}
        </div>
      ))}
    </div>
  )
}
