/** Calls about the bus. Parts of it that need more than streams bring their own calls and a section of `bus.status`. */
import { z } from 'zod'
import type { BusConsumer, BusStatus, Finding } from '../client/index.ts'
import { defineRpc, type Rpc } from '../rpc/index.ts'
import { STREAMS, type Subscriptions } from './index.ts'

export interface BusCallParts {
  readonly subscriptions: Subscriptions
  /** What other parts of the bus say of themselves, by name, and what is wrong with them. */
  readonly sections: () => Promise<{
    readonly problems: readonly Finding[]
    readonly [part: string]: unknown
  }>
}

const nothing = z.strictObject({})

export function busCalls(parts: BusCallParts): Rpc[] {
  return [
    defineRpc({
      name: 'bus.status',
      summary: 'What the streams hold, and how the parts of the bus are',
      args: nothing,
      example: {},
      handle: async (): Promise<BusStatus> => {
        const streams = parts.subscriptions.status()
        const consumers = streams.reduce((sum, stream) => sum + stream.consumers, 0)
        return { streams, consumers, ...(await parts.sections()) }
      },
    }),
    defineRpc({
      name: 'bus.consumers',
      summary: 'Durable consumers: where each is, and what it has before it',
      args: nothing,
      example: {},
      handle: (): Promise<BusConsumer[]> => parts.subscriptions.consumers.list(),
    }),
    defineRpc({
      name: 'bus.consumers.delete',
      summary: 'Forgets a durable consumer and its place; whoever is connected under its name is sent away',
      args: z.strictObject({ name: z.string(), stream: z.enum(STREAMS).default('HOOK_EVENTS') }),
      example: { name: 'reports' },
      handle: ({ name, stream }) => {
        parts.subscriptions.consumers.delete(stream, name)
        return { deleted: name }
      },
    }),
  ]
}
