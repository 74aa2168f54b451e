/** What can be asked about NATS. */
import { z } from 'zod'
import type { NatsBus } from '../bus/index.ts'
import { defineRpc, type Rpc } from './rpc.ts'

export function natsCalls(nats: NatsBus): Rpc[] {
  return [
    defineRpc({
      name: 'bus.natsInfo',
      summary: 'Where the NATS server is and how to sign in, as in nats-info.json',
      args: z.strictObject({}),
      example: {},
      handle: () => nats.info(),
    }),
  ]
}
