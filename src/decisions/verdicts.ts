/** What all who answer ask about a verdict, and about the event that it answers. */
import type { Verdict } from '../events/index.ts'

/** Nobody who comes later can change it. */
export function isFinal({ decision }: Verdict): boolean {
  return decision === 'deny' || decision === 'ask' || decision === 'block-stop'
}

/** Where a block does not refuse something but keeps the turn going. */
export function isStop(type: string): boolean {
  return type === 'Stop' || type === 'SubagentStop'
}

export function isStopBlock(verdict: Verdict): boolean {
  return verdict.decision === 'block-stop'
}
