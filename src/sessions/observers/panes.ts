/**
 * Detects closed tmux panes, which end their agents. Only for sessions whose process is not visible, in a container or
 * behind another shell; otherwise the process observer is faster. tmux is asked once for all its panes.
 */
import { type Pane, paneOf, runCommand } from '../../core/tmux.ts'
import { inferredEvent } from '../../journal/index.ts'
import { infer, type Session } from '../state/index.ts'
import type { Observer, ObserverContext } from './observer.ts'

const LOOK_MS = 2_000

type Context = Pick<ObserverContext, 'session' | 'raise' | 'pidOf'>

export class PaneObserver implements Observer {
  readonly #context: Context
  readonly #panes = new Map<string, Pane>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(context: Context) {
    this.#context = context
  }

  follow(session: Session): void {
    const pane = paneOf(session)
    if (session.endedAt !== undefined || !pane) {
      this.#panes.delete(session.key)
      return
    }
    this.#panes.set(session.key, pane)
    this.#timer ??= setTimeout(() => void this.#look(), LOOK_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#panes.clear()
  }

  async #look(): Promise<void> {
    const unseen = [...this.#panes].filter(([key]) => this.#context.pidOf(key) === undefined)
    for (const socket of new Set(unseen.map(([, pane]) => pane.socket))) {
      const there = await panesOf(socket)
      if (!there) continue
      for (const [key, one] of unseen)
        if (one.socket === socket && !there.has(one.pane)) this.#gone(key, one.pane)
    }
    this.#timer = this.#panes.size > 0 ? setTimeout(() => void this.#look(), LOOK_MS) : undefined
  }

  #gone(key: string, pane: string): void {
    this.#panes.delete(key)
    const session = this.#context.session(key)
    const now = Date.now()
    const healed = session && infer(session, { kind: 'gone', at: now, says: `tmux pane ${pane} closed` })
    if (session && healed) this.#context.raise(inferredEvent(session, healed, now))
  }
}

/** The panes of this user's tmux server; undefined if it cannot be asked, which proves nothing. */
async function panesOf(socket: string): Promise<Set<string> | undefined> {
  const { ok, out } = await runCommand(socket, ['list-panes', '-a', '-F', '#{pane_id}'])
  return ok ? new Set(out.split('\n').filter(Boolean)) : undefined
}
