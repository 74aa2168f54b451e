/** Required fields that payloads lack: how often, and whether that says anything about the agent. */
import type { Shape } from '../../rpc/index.ts'
import type { Expected } from './expected.ts'
import { objectsAt, parentOf } from './shape.ts'

export interface Required {
  readonly path: string
  /** Precomputed, because every payload needs it. */
  readonly parent: string
  misses: number
}

export interface Lacking {
  readonly shape: Shape
  /** Required fields, and how many payloads lacked each so far. */
  readonly required: readonly Required[]
}

/**
 * True for a minimal payload from a script or a test rather than the agent: apart from one missing field, it has fewer
 * fields than any payload of the agent.
 */
export function isForeign(
  { least = 0, isUnknownEvent }: Expected,
  payload: Shape,
  missing: readonly string[],
): boolean {
  if (isUnknownEvent) return missing.length > 0
  return missing.length > 1 || (payload.least ?? 0) < least - 1
}

/** Uses the counts that the payload has just changed, so the payload is not read twice. */
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
