/** Times in words. Pure. */

/** Times of the day, as the clock on the wall. */
export function clockWords(at: number, seconds = true): string {
  if (!(at > 0)) return ''
  return new Date(at).toLocaleTimeString([], {
    ...{ hour: '2-digit', minute: '2-digit', hour12: false },
    ...(seconds ? { second: '2-digit' } : {}),
  })
}
