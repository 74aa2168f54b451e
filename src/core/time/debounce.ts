/**
 * Debounce for files that people edit: editors write them in several steps, and each step is a change. `work` runs after a
 * quiet moment, and never twice at a time.
 */
export interface Debounced {
  soon(): void
  close(): void
}

const SETTLE_MS = 30

export function debounce(work: () => Promise<void>, failed: (error: unknown) => void): Debounced {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = Promise.resolve()
  const run = () => {
    last = last.then(work).catch(failed)
  }
  return {
    soon: () => {
      clearTimeout(timer)
      timer = setTimeout(run, SETTLE_MS)
    },
    close: () => clearTimeout(timer),
  }
}
