/** Long lists on the thread that hooks wait for: sorted and encoded a little at a time. */
import type { Slices } from '../core/time/slices.ts'
import { EncodedAnswer } from '../rpc/index.ts'

const RUN = 128 // sorted in one go

/** A merge sort that breathes. */
export async function sortedInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  slices: Slices,
): Promise<T[]> {
  let runs: T[][] = []
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(compare))
    await slices.breathe()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await mergedOf(runs[at] ?? [], runs[at + 1] ?? [], compare, slices))
    runs = merged
  }
  return runs[0] ?? []
}

async function mergedOf<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  slices: Slices,
): Promise<T[]> {
  const merged: T[] = []
  let [l, r] = [0, 0]
  while (l < left.length || r < right.length) {
    const takesLeft = r >= right.length || (l < left.length && compare(left[l] as T, right[r] as T) <= 0)
    merged.push((takesLeft ? left[l++] : right[r++]) as T)
    if (merged.length % RUN === 0) await slices.breathe()
  }
  return merged
}

/** The answer `{"ok":true,"data":[…]}`, encoded item by item. */
export async function encodedInSlices(items: readonly object[], slices: Slices): Promise<EncodedAnswer> {
  const chunks: Buffer[] = [Buffer.from('{"ok":true,"data":[')]
  for (const [i, item] of items.entries()) {
    chunks.push(Buffer.from(`${i === 0 ? '' : ','}${JSON.stringify(item)}`))
    await slices.breathe()
  }
  chunks.push(Buffer.from(']}\n'))
  return new EncodedAnswer(Buffer.concat(chunks))
}
