/** tmux: servers that show sessions, the line for status-right, and seen panes. */
import { z } from 'zod'
import { openCall } from '../definition.ts'

export interface TmuxServerView {
  readonly socket: string
  readonly pid: number
  /** Panes in which it shows a session. */
  readonly panes: number
}

export const tmuxCalls = {
  'tmux.refresh': openCall({
    summary: 'Finds the tmux servers that show sessions, and colours their panes',
    result: z.custom<{ readonly servers: readonly TmuxServerView[] }>(),
  }),
  'tmux.status': openCall({
    summary: 'The line for status-right, with tmux styles',
    result: z.custom<{ readonly line: string }>(),
  }),
  'tmux.jump': openCall({
    summary: 'Shows the pane of a session in the tmux client that was used last',
    args: z.strictObject({ session: z.string().min(1).describe('id, the beginning of one, or name') }),
    /** `client` is null if no terminal shows that tmux server; `attach` is the command for one. */
    result: z.custom<{ readonly client: string | null; readonly attach: string }>(),
    example: { session: 'brave-otter' },
  }),
  'tmux.seen': openCall({
    summary: 'Marks finished sessions in a pane as seen',
    args: z.strictObject({
      socket: z.string().min(1),
      pid: z.int().positive(),
      pane: z.string().regex(/^%\d{1,9}$/),
    }),
    /** Names of the sessions. */
    result: z.custom<{ readonly seen: readonly string[] }>(),
    example: { socket: '/tmp/tmux-1000/default', pid: 4711, pane: '%3' },
  }),
}
