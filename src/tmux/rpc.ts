/** Calls about tmux: which servers show the sessions, the line for status-right, and panes that were looked at. */
import { z } from 'zod'
import type { Pipeline } from '../ingest/index.ts'
import { seenArrival } from '../journal/index.ts'
import { defineRpc, type Rpc } from '../rpc/index.ts'
import { engine, type Session } from '../sessions/state/index.ts'
import type { TmuxDisplay } from './display.ts'
import { paneOf } from './index.ts'

export interface TmuxCallParts {
  readonly display: TmuxDisplay
  readonly sessions: () => Iterable<Session>
  readonly pipeline: Pipeline
}

export function tmuxCalls({ display, sessions, pipeline }: TmuxCallParts): Rpc[] {
  return [
    defineRpc({
      name: 'tmux.refresh',
      summary: 'Reads again which tmux servers show the sessions, and colours their panes',
      args: z.strictObject({}),
      example: {},
      handle: async () => {
        await display.refresh()
        return { servers: display.servers }
      },
    }),
    defineRpc({
      name: 'tmux.status',
      summary: 'The line for status-right, with the styles of tmux',
      args: z.strictObject({}),
      example: {},
      handle: () => ({ line: display.status() }),
    }),
    defineRpc({
      name: 'tmux.seen',
      summary: 'Marks what is done in a pane as looked at',
      args: z.strictObject({
        socket: z.string().min(1),
        pid: z.int().positive(),
        pane: z.string().regex(/^%\d{1,9}$/),
      }),
      example: { socket: '/tmp/tmux-1000/default', pid: 4711, pane: '%3' },
      handle: ({ socket, pid, pane }) => {
        const looked = [...sessions()].filter((session) => {
          const at = paneOf(session)
          if (session.endedAt !== undefined || (engine(session) ?? 'done') !== 'done') return false
          return at?.pane === pane && at.pid === pid && at.socket === socket
        })
        for (const { key } of looked) pipeline.take(seenArrival(key, Date.now()), () => {})
        return { seen: looked.map(({ name }) => name) }
      },
    }),
  ]
}
