/**
 * Finds the most likely intended word by edit distance: at most about a third of the letters may differ.
 *
 *   closest('PreToolUes', ['PreToolUse', 'Stop'])   // 'PreToolUse'
 */
const MOST_CHANGES = 3

export function closest(
  text: string,
  words: readonly string[],
  mostChanges = MOST_CHANGES,
): string | undefined {
  const most = Math.min(mostChanges, Math.floor((text.length + 1) / 3))
  const [best] = words
    .map((word) => ({ word, changes: changesBetween(text.toLowerCase(), word.toLowerCase()) }))
    .filter(({ changes }) => changes <= most)
    .sort((a, b) => a.changes - b.changes || b.word.length - a.word.length) // more letters are the same
  return best?.word
}

/** `Did you mean claude?`, or undefined. */
export function didYouMean(text: string, words: readonly string[]): string | undefined {
  const close = closest(text, words)
  return close === undefined ? undefined : `Did you mean ${close}?`
}

/** What to say about a text that is none of these names: `Did you mean claude?`, or `There are: claude, codex.` */
export function whichOf(text: string, names: readonly string[]): string {
  return didYouMean(text, names) ?? `There are: ${firstNames(names)}.`
}

const MOST_NAMED = 12 // what a person still reads

export function firstNames(names: readonly string[]): string {
  const all = [...new Set(names)]
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : ''
  return `${all.slice(0, MOST_NAMED).join(', ') || 'none'}${more}`
}

/** Damerau-Levenshtein distance: letters added, removed, replaced, or swapped with a neighbour. */
function changesBetween(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const exchanged = (row[j] ?? 0) + (letter === b[j] ? 0 : 1)
      const isSwapped = i > 0 && j > 0 && letter === b[j - 1] && a[i - 1] === b[j]
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : exchanged
      next.push(Math.min(exchanged, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
