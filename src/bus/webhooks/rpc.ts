/** What can be asked about webhooks. */
import { z } from 'zod'
import { newId } from '../../events/index.ts'
import { defineRpc, type Rpc } from '../../rpc/index.ts'
import type { Webhooks } from '../index.ts'

export function webhookCalls(webhooks: Webhooks): Rpc[] {
  return [
    defineRpc({
      name: 'bus.webhooks',
      summary: 'The webhooks: their state, last answer, backlog and failures',
      args: z.strictObject({}),
      example: {},
      handle: () => webhooks.status(),
    }),
    defineRpc({
      name: 'bus.webhooks.test',
      summary: 'Sends one test message to a webhook and gives its answer',
      args: z.strictObject({ name: z.string().min(1) }),
      example: { name: 'ci' },
      handle: ({ name }) => webhooks.test(name, newId()),
    }),
  ]
}
