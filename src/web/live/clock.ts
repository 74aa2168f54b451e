/** One clock for all that ages on the page. Each reader renders itself only when its own words change. */
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  if (document.visibilityState === 'hidden') return
  for (const listener of listeners) listener()
}

/** What `of` makes of the time, now and whenever that changes. It must give the same value for the same second. */
export function useClock<Value extends string | number | boolean>(of: (now: number) => Value): Value {
  return useSyncExternalStore(subscribe, () => of(Date.now()))
}
