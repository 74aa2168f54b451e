/** Fields that should be there and are not: by how many payloads, and whether that says something about the agent at all. */
import type { Shape } from '../../rpc/index.ts'
import type { Expected } from './expected.ts'
import { objectsAt, parentOf } from './shape.ts'

export interface Required {
  readonly path: string
  /** Asked for with every payload, so it is found once. */
  readonly parent: string
  misses: number
}

export interface Lacking {
  readonly shape: Shape
  /** Required fields, with how many payloads were without so far. */
  readonly required: readonly Required[]
}

/**
 * Not made by the agent, but by a script or a test, in a few words: with fewer fields than any payload of the agent had,
 * but for one that may be missing.
 */
export function isForeign(
  { least = 0, isUnknownEvent }: Expected,
  payload: Shape,
  missing: readonly string[],
): boolean {
  if (isUnknownEvent) return missing.length > 0
  return missing.length > 1 || (payload.least ?? 0) < least - 1
}

/** Told by the counts, which the payload has just changed: no second look at the payload. */
export function lacksSomething({ shape, required }: Lacking): boolean {
  let lacks = false
  for (const one of required) {
    const misses = missesOf(shape, one.path, one.parent)
    if (misses === one.misses) continue
    one.misses = misses
    lacks = true
  }
  return lacks
}

export function missesOf(shape: Shape, path: string, parent = parentOf(path)): number {
  return objectsAt(shape, parent) - (shape.fields[path]?.count ?? 0)
}
