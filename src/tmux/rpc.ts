/** Calls about tmux: servers that show the sessions, the line for status-right, and panes that were looked at. */
import { GantryError } from '../core/errors.ts'
import { paneOf } from '../core/tmux.ts'
import type { Pipeline } from '../ingest/index.ts'
import { seenEvent } from '../journal/index.ts'
import type { CallHandlers } from '../rpc/index.ts'
import { engine, type Session } from '../sessions/state/index.ts'
import type { TmuxDisplay } from './display.ts'
import { show } from './index.ts'

interface TmuxCallParts {
  readonly display: TmuxDisplay
  readonly sessions: () => Iterable<Session>
  readonly pipeline: Pipeline
  readonly find: (session: string) => Session | undefined
}

export function tmuxCalls({ display, sessions, pipeline, find }: TmuxCallParts) {
  return {
    'tmux.refresh': async () => {
      await display.refresh()
      return { servers: display.servers }
    },
    'tmux.status': () => ({ line: display.status() }),
    'tmux.jump': ({ session: text }) => {
      const session = find(text)
      if (!session) throw new GantryError('VALIDATION_ERROR', `There is no session "${text}".`)
      const pane = paneOf(session)
      if (pane) return show(pane)
      const where = session.cwd === undefined ? '' : ` It works in ${session.cwd}.`
      throw new GantryError('VALIDATION_ERROR', `${session.name} is in no tmux pane.${where}`)
    },
    'tmux.seen': ({ socket, pid, pane }) => {
      const looked = [...sessions()].filter((session) => {
        const at = paneOf(session)
        if (session.endedAt !== undefined || (engine(session) ?? 'done') !== 'done') return false
        return at?.pane === pane && at.pid === pid && at.socket === socket
      })
      for (const { key } of looked) pipeline.take(seenEvent(key, Date.now()), () => {})
      return { seen: looked.map(({ name }) => name) }
    },
  } satisfies Partial<CallHandlers>
}
