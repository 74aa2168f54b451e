/** Calls about budgets. Raising one needs a proof by the approval key, and does not come from an agent. */
import { sameText } from '../../bus/index.ts'
import { proofOver } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { CallHandlers } from '../../rpc/index.ts'
import type { Budgets } from './service.ts'

export function budgetCalls({ budgets, key }: { readonly budgets: Budgets; readonly key: () => string }) {
  return {
    'budgets.list': ({ session }) => budgets.list(session).map(({ budget, uses }) => ({ ...budget, uses })),
    'budgets.raise': ({ id, scope, cap, limit, proof }, { caller }) => {
      // The new limit is absolute: the same proof again changes nothing.
      if (!sameText(proof, proofOver(key(), ['budget', id, scope, cap, limit])))
        throw new GantryError(
          'PERMISSION',
          'It is not proved with the approval key. Use: gantry budgets raise',
        )
      const raised = budgets.raise(id, scope, cap, limit, caller?.place || 'rpc')
      if (raised) return raised
      const message = `No budget "${id}" with ${cap} holds for ${scope}, or ${limit} is below its cap. Run: gantry budgets`
      throw new GantryError('VALIDATION_ERROR', message)
    },
  } satisfies Partial<CallHandlers>
}
