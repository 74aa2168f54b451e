/** What sessions did over time: their strips, and their timelines. */
import { z } from 'zod'
import { defineRpc } from '../definition.ts'

/** The statuses that a strip tells apart. A session that is done, or stale, counts as idle. */
export type ActivityStatus = 'starting' | 'working' | 'asks' | 'failed' | 'compacting' | 'idle'

/** UTC milliseconds. */
export interface ActivitySegment {
  readonly from: number
  readonly to: number
  readonly status: ActivityStatus
}

export interface SessionActivity {
  readonly key: string
  /** In order, each begins where the last one ended. Nothing is known of the time before the first. */
  readonly segments: readonly ActivitySegment[]
}

export const activityCalls = {
  'sessions.activity': defineRpc({
    summary: 'What living sessions did lately, or one session: stretches of time by status, for strips',
    args: z.strictObject({
      since: z.number().nonnegative().optional().describe('UTC milliseconds; the last 30 minutes by default'),
      session: z.string().min(1).optional().describe('id, the beginning of one, or name'),
    }),
    result: z.custom<SessionActivity[]>(),
    example: { session: 'brave-otter' },
  }),
}
