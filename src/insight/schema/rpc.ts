/** Calls about what payloads look like. */
import { z } from 'zod'
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import { GantryError } from '../../core/errors.ts'
import { defineRpc, type Rpc } from '../../rpc/index.ts'
import type { Store } from '../../store/index.ts'
import type { SchemaKeeper } from './learner.ts'

const filter = {
  agent: z.string().min(1).optional(),
  version: z.string().optional(),
  event: z.string().min(1).optional(),
}

export interface SchemaCallParts {
  readonly keeper: SchemaKeeper
  readonly store: Store
}

export function schemaCalls(parts: SchemaCallParts): Rpc[] {
  return [
    defineRpc({
      name: 'schema.shapes',
      summary: 'What payloads look like, learned from all that came: fields with types, presence, values',
      args: z.strictObject(filter),
      example: { agent: DEFAULT_AGENT, event: 'Stop' },
      handle: async (args) => (await parts.keeper.book()).shapes(present(args)),
    }),
    defineRpc({
      name: 'schema.diff',
      summary: 'What differs between two versions of an agent, or between what came and what was expected',
      args: z.strictObject({ agent: filter.agent, from: filter.version, to: filter.version }),
      example: { agent: DEFAULT_AGENT, from: '2.0.77', to: '2.1.325' },
      handle: async ({ agent, from, to }) => {
        const book = await parts.keeper.book()
        if (from === undefined && to === undefined) return book.drift(agent)
        const id = agent ?? DEFAULT_AGENT
        const versions = book.versions(id)
        for (const version of [from, to]) {
          if (version !== undefined && versions.includes(version)) continue
          const known = versions.join(', ') || 'none'
          const message = `There is nothing known of ${id} ${version ?? ''}. Known versions: ${known}`
          throw new GantryError('VALIDATION_ERROR', message)
        }
        return book.diff(id, from ?? '', to ?? '')
      },
    }),
    defineRpc({
      name: 'schema.drifts',
      summary: 'What was found to be different from what was expected, newest first',
      args: z.strictObject({}),
      example: {},
      handle: async () => {
        await parts.keeper.book()
        return parts.store.schemas.drifts()
      },
    }),
    defineRpc({
      name: 'schema.baseline',
      summary: 'Makes what is known now the baseline, and accepts what was found to be different',
      args: z.strictObject({ agent: filter.agent }),
      example: { agent: DEFAULT_AGENT },
      handle: async ({ agent }) => {
        const book = await parts.keeper.book()
        const made = parts.store.journal.commit(() => book.settle(agent, Date.now()))
        if (made.length > 0) return made
        const whom = agent === undefined ? 'any agent' : agent
        throw new GantryError(
          'VALIDATION_ERROR',
          `There is no payload of ${whom} yet. Use it once, then try again.`,
        )
      },
    }),
  ]
}

function present<T extends object>(args: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)) as never
}
