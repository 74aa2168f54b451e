/** Notifications: those sent, and a test that sends one. */
import { z } from 'zod'
import type { NotificationRow } from '../../store/tables/row-types.ts'
import { openCall } from '../definition.ts'

export type { NotificationRow } from '../../store/tables/row-types.ts'

/** The result of a test on one channel. */
export interface ChannelTest {
  readonly channel: string
  readonly kind: string
  readonly reasons: readonly string[]
  readonly title: string
  readonly body: string
  /** Null if nothing was to be sent. */
  readonly sent: boolean | null
  readonly detail: string
  readonly tookMs: number
  readonly notes: readonly string[]
}

const MAX_LISTED = 2_000

/** The terminal for a test. */
const target = z.strictObject({
  pane: z.string().optional(),
  tmux: z.string().optional(),
  pid: z.int().positive().optional(),
})

export const notifyCalls = {
  'notify.test': openCall({
    summary: 'Sends one test message to a channel or to all of them, and returns the results',
    args: z.strictObject({
      channel: z.string().optional(),
      send: z.boolean().default(true),
      target: target.default({}),
    }),
    result: z.custom<ChannelTest[]>(),
    example: { channel: 'desk' },
  }),
  'notify.log': openCall({
    summary: 'The last notifications, newest first',
    args: z.strictObject({ limit: z.int().min(1).max(MAX_LISTED).default(50) }),
    result: z.custom<NotificationRow[]>(),
    example: { limit: 10 },
  }),
}
