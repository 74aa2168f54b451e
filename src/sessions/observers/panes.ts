/**
 * Detects closed tmux panes, which end their agents. Only for sessions whose process is not visible, in a container or
 * behind another shell; otherwise the process observer is faster. tmux is asked once for all its panes.
 */

import { statSync } from 'node:fs'
import { run } from '../../core/processes/exec.ts'
import { healedEvent } from '../../journal/index.ts'
import { heal, type Session } from '../state/index.ts'
import type { Observer, ObserverContext } from './observer.ts'

const LOOK_MS = 2_000
const ASK_LIMIT_MS = 1_000

interface Pane {
  readonly server: string
  readonly pane: string
}

type Context = Pick<ObserverContext, 'session' | 'raise' | 'pidOf'>

export class PaneObserver implements Observer {
  readonly #context: Context
  readonly #panes = new Map<string, Pane>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(context: Context) {
    this.#context = context
  }

  follow(session: Session): void {
    // TMUX is "<socket>,<pid of the server>,<session>".
    const server = session.tmux?.split(',')[0]
    const isOver = session.endedAt !== undefined
    if (isOver || !server?.startsWith('/') || !session.pane || !/^%\d{1,9}$/.test(session.pane)) {
      this.#panes.delete(session.key)
      return
    }
    this.#panes.set(session.key, { server, pane: session.pane })
    this.#timer ??= setTimeout(() => void this.#look(), LOOK_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#panes.clear()
  }

  async #look(): Promise<void> {
    const unseen = [...this.#panes].filter(([key]) => this.#context.pidOf(key) === undefined)
    for (const server of new Set(unseen.map(([, { server }]) => server))) {
      const there = await panesOf(server)
      if (!there) continue
      for (const [key, one] of unseen)
        if (one.server === server && !there.has(one.pane)) this.#gone(key, one.pane)
    }
    this.#timer = this.#panes.size > 0 ? setTimeout(() => void this.#look(), LOOK_MS) : undefined
  }

  #gone(key: string, pane: string): void {
    this.#panes.delete(key)
    const session = this.#context.session(key)
    const now = Date.now()
    const healed = session && heal(session, { kind: 'gone', at: now, says: `tmux pane ${pane} closed` })
    if (session && healed) this.#context.raise(healedEvent(session, healed, now))
  }
}

/** The panes of this user's tmux server; undefined if it cannot be asked, which proves nothing. */
async function panesOf(server: string): Promise<Set<string> | undefined> {
  try {
    const stat = statSync(server)
    if (!stat.isSocket() || stat.uid !== process.getuid?.()) return undefined
    const argv = ['tmux', '-S', server, 'list-panes', '-a', '-F', '#{pane_id}']
    const { exit, stdout } = await run(argv, { timeoutMs: ASK_LIMIT_MS })
    return exit === 0 ? new Set(stdout.split('\n').filter(Boolean)) : undefined
  } catch {
    return undefined
  }
}
