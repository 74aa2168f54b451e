/** The demo: recorded sessions in a running daemon. */
import { z } from 'zod'
import { openCall } from '../definition.ts'

export const demoCalls = {
  'demo.start': openCall({
    summary:
      'Plays recorded sessions into this daemon for three minutes, if no agent works; they are marked as replayed',
    /** UTC milliseconds. */
    result: z.custom<{ readonly until: number }>(),
  }),
  'demo.stop': openCall({
    summary: 'Ends them',
    result: z.custom<{ readonly stopped: boolean }>(),
  }),
}
