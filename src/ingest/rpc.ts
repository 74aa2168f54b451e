/** Imports past events into the journal: from logs of claude-hooks-sdk, recordings, other journals. */
import { GantryError } from '../core/errors.ts'
import type { CallHandlers, ImportedEvent } from '../rpc/index.ts'
import type { Store } from '../store/index.ts'
import type { Pipeline } from './pipeline.ts'
import { rawEventOf } from './raw-event.ts'

export interface ImportCallParts {
  readonly store: Pick<Store, 'byId'>
  readonly pipeline: Pipeline
}

export function importCalls(parts: ImportCallParts) {
  return {
    'events.import': async ({ events }) => {
      const seen = new Set<string>()
      const fresh = events.filter(({ id }) => !seen.has(id) && seen.add(id) && !parts.store.byId(id))
      const stored = await Promise.all(fresh.map((event) => take(event, parts.pipeline)))
      if (stored.includes(false))
        throw new GantryError('DATABASE', 'Not all events could be stored. Run: gantry doctor')
      return { added: fresh.length, known: events.length - fresh.length }
    },
  } satisfies Partial<CallHandlers>
}

function take({ payload, base64, ...header }: ImportedEvent, pipeline: Pipeline): Promise<boolean> {
  const delivery = { payload: Buffer.from(payload, base64 ? 'base64' : 'utf8'), transport: 'import' } as const
  const rawEvent = rawEventOf(header, { ...delivery, receivedAt: Date.now() })
  return new Promise((resolve) => pipeline.take(rawEvent, (reply) => resolve(reply !== undefined)))
}
