/**
 * The baselines shipped with gantry: versions recorded from the real programs (`npm run baselines` makes them), and the
 * documentation as of a certain day, used only for comparison.
 */
import type { Baseline } from '../../../rpc/index.ts'
import { DOCUMENTED as BY_HAND, RECORDED } from './shipped/index.gen.ts'

export const SHIPPED: readonly Baseline[] = RECORDED.map(asBaseline)

export const DOCUMENTED: readonly Baseline[] = BY_HAND.map(asBaseline)

/** Checked by a test; TypeScript infers a separate type for every file. */
function asBaseline(data: unknown): Baseline {
  return data as Baseline
}
