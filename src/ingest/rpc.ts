/** Events of another time, read into the journal: from logs of claude-hooks-sdk, recordings, other journals. */
import { z } from 'zod'
import { DEFAULT_AGENT } from '../agents/facts.ts'
import { GantryError } from '../core/errors.ts'
import { defineRpc, type Rpc } from '../rpc/index.ts'
import type { Store } from '../store/index.ts'
import type { Pipeline } from './pipeline.ts'
import { arrivalOf, isAgentName } from './raw-event.ts'

export interface ImportCallParts {
  readonly store: Pick<Store, 'byId'>
  readonly pipeline: Pipeline
}

export const MAX_IMPORTED = 500 // of one call: what one commit takes

const imported = z.strictObject({
  /** The same event has the same id, so that it is stored once. */
  id: z.string().regex(/^[\x21-\x7e]{1,128}$/, { error: 'an id is up to 128 letters without spaces' }),
  agent: z
    .string()
    .refine((name) => isAgentName(name) && name !== 'gantry', { error: 'no agent has this name' }),
  event: z.string().optional(),
  /** UTC milliseconds. */
  at: z.number(),
  env: z.record(z.string(), z.string()).default({}),
  /** The native payload as text, or as base64 where it is none. */
  payload: z.string(),
  base64: z.boolean().default(false),
})

type Imported = z.infer<typeof imported>

export function importCalls(parts: ImportCallParts): Rpc[] {
  return [
    defineRpc({
      name: 'events.import',
      summary:
        'Stores events of another time: no session, rule, handler, notification or stream hears of them',
      args: z.strictObject({ events: z.array(imported).min(1).max(MAX_IMPORTED) }),
      example: {
        events: [
          {
            id: 'import-example',
            agent: DEFAULT_AGENT,
            at: 1763000000000,
            payload: '{"hook_event_name":"Stop","session_id":"s1"}',
          },
        ],
      },
      handle: async ({ events }) => {
        const seen = new Set<string>()
        const fresh = events.filter(({ id }) => !seen.has(id) && seen.add(id) && !parts.store.byId(id))
        const stored = await Promise.all(fresh.map((event) => take(event, parts.pipeline)))
        if (stored.includes(false))
          throw new GantryError('DATABASE', 'Not all events could be stored. Look: gantry doctor')
        return { added: fresh.length, known: events.length - fresh.length }
      },
    }),
  ]
}

function take({ payload, base64, ...header }: Imported, pipeline: Pipeline): Promise<boolean> {
  const delivery = { payload: Buffer.from(payload, base64 ? 'base64' : 'utf8'), transport: 'import' } as const
  const arrival = arrivalOf(header, { ...delivery, receivedAt: Date.now() })
  return new Promise((resolve) => pipeline.take(arrival, (reply) => resolve(reply !== undefined)))
}
