/**
 * Raises a budget. As an answer to an approval, it is signed with a key that is in no agent's environment.
 *
 *   await raiseBudget(places(), { id: 'night', scope: 'claude:4f1c…', cap: 'cost_usd', limit: 10 })
 */
import { refuseInsideAgent } from '../agents/inside-agent.ts'
import type { Places } from '../core/files/paths.ts'
import type { BudgetUseView, CallArgs } from '../rpc/index.ts'
import { approvalKey, proofOver } from './approvals.ts'
import { type CallOptions, call } from './connection.ts'

export async function raiseBudget(
  places: Places,
  raised: Omit<CallArgs<'budgets.raise'>, 'proof'>,
  options?: CallOptions,
): Promise<BudgetUseView> {
  refuseInsideAgent() // the daemon also checks, if the system identifies the caller
  const { id, scope, cap, limit } = raised
  const proof = proofOver(approvalKey(places), ['budget', id, scope, cap, limit])
  return call(places, 'budgets.raise', { ...raised, proof }, options)
}
