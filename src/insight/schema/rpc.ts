/** Calls about payload schemas. */
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import { GantryError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import type { CallHandlers } from '../../rpc/index.ts'
import type { FollowerStore } from '../../store/index.ts'
import type { SchemaLearner } from './learner.ts'

interface SchemaCallParts {
  readonly learner: SchemaLearner
  readonly store: FollowerStore
  /** Resolves when everything that was written is in the database. */
  readonly flushed: () => Promise<void>
}

export function schemaCalls(parts: SchemaCallParts) {
  return {
    'schema.shapes': async (args) => (await parts.learner.registry()).shapes(withoutUndefined(args)),
    'schema.diff': async ({ agent, from, to }) => {
      const registry = await parts.learner.registry()
      if (from === undefined && to === undefined) return registry.drift(agent)
      const id = agent ?? DEFAULT_AGENT
      const versions = registry.versions(id)
      for (const version of [from, to]) {
        if (version !== undefined && versions.includes(version)) continue
        const known = versions.join(', ') || 'none'
        const message = `There is nothing known of ${id} ${version ?? ''}. Known versions: ${known}`
        throw new GantryError('VALIDATION_ERROR', message)
      }
      return registry.diff(id, from ?? '', to ?? '')
    },
    'schema.drifts': async () => {
      await parts.learner.registry()
      return parts.store.schemas.drifts()
    },
    'schema.baseline': async ({ agent }) => {
      const registry = await parts.learner.registry()
      const made = parts.store.journal.commit(() => registry.settle(agent, Date.now()))
      await parts.flushed()
      registry.settled(made)
      if (made.length > 0) return made
      const whom = agent === undefined ? 'any agent' : agent
      throw new GantryError(
        'VALIDATION_ERROR',
        `There is no payload of ${whom} yet. Use it once, then try again.`,
      )
    },
  } satisfies Partial<CallHandlers>
}
