/** Calls about the hub of the fleet. */
import { GantryError } from '../../core/errors.ts'
import { whichOf } from '../../core/text/closest.ts'
import type { CallHandlers } from '../../rpc/index.ts'
import { token } from '../index.ts'
import type { HubMember } from './index.ts'

export function hubCalls({ hub }: { readonly hub: HubMember }) {
  return {
    'fleet.hub': () => hub.status(),
    'fleet.forget': async ({ host }) => {
      const { connected, problem, streams } = await hub.status()
      if (!connected)
        throw new GantryError(
          'VALIDATION_ERROR',
          problem
            ? `The hub cannot be reached: ${problem}.`
            : 'There is no hub here. docs/fleet.md shows how to join one.',
        )
      const domain = token(host)
      const known = streams.flatMap(({ sources }) => sources.map((one) => one.domain))
      if (!known.includes(domain))
        throw new GantryError('VALIDATION_ERROR', `The hub has no host "${host}". ${whichOf(host, known)}`)
      await hub.forget(domain)
      return { forgotten: domain }
    },
  } satisfies Partial<CallHandlers>
}
