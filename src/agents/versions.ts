/** Versions of agents: `2.1.325`, with or without a leading `v` and a suffix. */
const NUMBERS = /(\d+)\.(\d+)\.(\d+)/

/** The first version in a text, as in `codex-cli 0.166.0`. */
export function findVersion(text: string): string | undefined {
  return NUMBERS.exec(text)?.[0]
}

export function isAtLeast(version: string, floor: string): boolean {
  return compareVersions(version, floor) >= 0
}

/** Negative if `a` is older. A text that is not a version is older than everything. */
export function compareVersions(a: string, b: string): number {
  const left = numbersOf(a)
  const right = numbersOf(b)
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? -1) - (right[i] ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}

function numbersOf(version: string): number[] {
  return NUMBERS.exec(version)?.slice(1).map(Number) ?? []
}
