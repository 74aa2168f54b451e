/** What can be asked about NATS. */
import { z } from 'zod'
import { defineRpc, type Rpc } from '../../rpc/index.ts'
import type { NatsBus } from '../index.ts'

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
