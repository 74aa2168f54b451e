/** Short notices at the edge: what an action did, or why it did not. Screen readers hear them. */
import { useSyncExternalStore } from 'react'

export type Tone = 'plain' | 'done' | 'error'

interface Notice {
  readonly id: number
  readonly text: string
  readonly tone: Tone
}

const SHOWN_MS = { plain: 4_000, done: 3_000, error: 9_000 } as const
const MAX = 3

let notices: readonly Notice[] = []
let last = 0
const listeners = new Set<() => void>()

export function toast(text: string, tone: Tone = 'plain'): void {
  const id = ++last
  change([...notices.filter((one) => one.text !== text), { id, text, tone }].slice(-MAX))
  setTimeout(() => change(notices.filter((one) => one.id !== id)), SHOWN_MS[tone])
}

/** For what went wrong, whatever it was. */
export function toastError(error: unknown): void {
  toast(error instanceof Error ? error.message : String(error), 'error')
}

function change(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notices,
  )
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, tone }) => (
        <div key={id} className={`toast ${tone}`}>
          {text}
        </div>
      ))}
    </div>
  )
}
