/**
 * The baselines that come with gantry: versions that were recorded from the real programs ("npm run baselines" makes
 * them), and what was documented on a certain day, which is for comparing only.
 */
import type { Baseline } from '../../rpc/index.ts'
import claude2077 from './baselines/claude-2.0.77.json'
import claude21325 from './baselines/claude-2.1.325.json'
import claudeDocumented from './baselines/claude-documented.json'
import codex from './baselines/codex-0.166.0.json'
import copilot from './baselines/copilot-1.0.102.json'
import gemini from './baselines/gemini-0.61.0.json'
import opencode from './baselines/opencode-1.18.33.json'

export const SHIPPED: readonly Baseline[] = [claude2077, claude21325, codex, gemini, copilot, opencode].map(
  asBaseline,
)

export const DOCUMENTED: readonly Baseline[] = [asBaseline(claudeDocumented)]

/** Checked by a test; TypeScript makes a type of its own of every file. */
function asBaseline(data: unknown): Baseline {
  return data as Baseline
}
