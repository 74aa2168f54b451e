/** tmux: which servers show the sessions, the line for status-right, and panes that were looked at. */
import { z } from 'zod'
import { defineRpc } from '../definition.ts'

export interface TmuxServerView {
  readonly socket: string
  readonly pid: number
  /** Those it shows a session in. */
  readonly panes: number
}

export const tmuxCalls = {
  'tmux.refresh': defineRpc({
    summary: 'Reads again which tmux servers show the sessions, and colours their panes',
    result: z.custom<{ readonly servers: readonly TmuxServerView[] }>(),
  }),
  'tmux.status': defineRpc({
    summary: 'The line for status-right, with the styles of tmux',
    result: z.custom<{ readonly line: string }>(),
  }),
  'tmux.seen': defineRpc({
    summary: 'Marks what is done in a pane as looked at',
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
