/**
 * The baselines that come with gantry: versions that were recorded from the real programs ("npm run baselines" makes
 * them), and what was documented on a certain day, which is for comparing only.
 */
import type { Baseline } from '../../rpc/index.ts'
import documented from './baselines/claude-documented.json'
import { RECORDED } from './baselines/index.gen.ts'

export const SHIPPED: readonly Baseline[] = RECORDED.map(asBaseline)

export const DOCUMENTED: readonly Baseline[] = [asBaseline(documented)]

/** Checked by a test; TypeScript makes a type of its own of every file. */
function asBaseline(data: unknown): Baseline {
  return data as Baseline
}
