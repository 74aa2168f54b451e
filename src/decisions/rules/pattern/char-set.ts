/** Sets of UTF-16 code units: sorted ranges that do not touch, as `[from, to, from, to, …]`, both ends in it. */
export type CharSet = readonly number[]

const LAST = 0xffff

export const DIGIT: CharSet = [48, 57]
export const WORD: CharSet = [48, 57, 65, 90, 95, 95, 97, 122]
export const LINE_END: CharSet = [10, 10, 13, 13, 0x2028, 0x2029]
export const SPACE: CharSet = union(
  [9, 10, 11, 12, 13, 32, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]
    .map(single)
    .concat([[0x2000, 0x200a]]),
)

export function single(code: number): CharSet {
  return [code, code]
}

export function union(sets: readonly CharSet[]): CharSet {
  const ranges: [number, number][] = []
  for (const set of sets) for (let i = 0; i < set.length; i += 2) ranges.push([set[i] ?? 0, set[i + 1] ?? 0])
  ranges.sort((a, b) => a[0] - b[0])
  const merged: number[] = []
  for (const [from, to] of ranges) {
    const end = merged.at(-1)
    if (end === undefined || from > end + 1) merged.push(from, to)
    else if (to > end) merged[merged.length - 1] = to
  }
  return merged
}

export function inverted(set: CharSet): CharSet {
  const rest: number[] = []
  let next = 0
  for (let i = 0; i < set.length; i += 2) {
    const from = set[i] ?? 0
    if (from > next) rest.push(next, from - 1)
    next = (set[i + 1] ?? 0) + 1
  }
  if (next <= LAST) rest.push(next, LAST)
  return rest
}

export function has(set: CharSet, code: number): boolean {
  for (let i = 0; i < set.length; i += 2) if (code <= (set[i + 1] ?? 0)) return code >= (set[i] ?? 0)
  return false
}

/** Where the characters that sets tell apart begin. */
export function startsOf(sets: readonly CharSet[]): number[] {
  const bounds = new Set([0])
  for (const set of sets)
    for (let i = 0; i < set.length; i += 2) bounds.add(set[i] ?? 0).add((set[i + 1] ?? 0) + 1)
  bounds.delete(0x10000)
  return [...bounds].sort((a, b) => a - b)
}

let dedupe: Map<number, number[]> | undefined

const foldedSets = new WeakMap<CharSet, CharSet>()
const FEW_CODES = 256 // looking at each of so many is quicker than at all letters there are

/** With every letter in both cases, as the flag `i` has it without `u`. */
export function folded(set: CharSet): CharSet {
  const known = foldedSets.get(set)
  if (known) return known
  dedupe ??= findTwins()
  const more: CharSet[] = [set]
  for (const code of sizeOf(set) <= FEW_CODES ? codesOf(set) : dedupe.keys())
    if (has(set, code)) more.push(...(dedupe.get(code) ?? []).map(single))
  const both = union(more)
  foldedSets.set(set, both)
  return both
}

function sizeOf(set: CharSet): number {
  let size = 0
  for (let i = 0; i < set.length; i += 2) size += (set[i + 1] ?? 0) - (set[i] ?? 0) + 1
  return size
}

function* codesOf(set: CharSet): Generator<number> {
  for (let i = 0; i < set.length; i += 2)
    for (let code = set[i] ?? 0; code <= (set[i + 1] ?? 0); code++) yield code
}

/** By each letter that has them: all that are the same letter, itself among them. */
function findTwins(): Map<number, number[]> {
  const groups = new Map<number, number[]>()
  for (let code = 0; code <= LAST; code++) {
    const upper = canonical(code)
    const group = groups.get(upper)
    if (group) group.push(code)
    else groups.set(upper, [code])
  }
  const byCode = new Map<number, number[]>()
  for (const group of groups.values()) if (group.length > 1) for (const code of group) byCode.set(code, group)
  return byCode
}

function canonical(code: number): number {
  const upper = String.fromCharCode(code).toUpperCase()
  if (upper.length !== 1) return code
  const canonical = upper.charCodeAt(0)
  return code >= 128 && canonical < 128 ? code : canonical
}
