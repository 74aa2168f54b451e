/**
 * Colours in tmux as sessions change: for servers on which `gantry tmux apply` was run, and nothing at all where there
 * are none. A change waits for others that come with it, then one tmux process per server tells what differs.
 */
import { rmSync } from 'node:fs'
import type { Places } from '../places.ts'
import { type Change, type EngineStatus, engine, isStale, type Session } from '../sessions/index.ts'
import {
  ask,
  badgeLine,
  clearPane,
  dropReceipt,
  isThere,
  mostUrgent,
  paintPane,
  paintSummary,
  paneOf,
  readReceipts,
  type Server,
  STATUS_OPTION,
  type Summarized,
  summaryOf,
  type TmuxSettings,
  tell,
} from '../tmux/index.ts'
import { writeAtomic } from './files.ts'
import type { Log } from './log.ts'

const GATHER_MS = 20 // a turn is a burst of hooks, and each telling is a process and a redraw
const PAUSE_MS = 100 // between two tellings: a large fleet changes all the time, eyes do not follow
const CLEAR_ON_STOP_MS = 500

export interface TmuxDisplayParts {
  readonly places: Places
  readonly log: Log
  readonly settings: () => TmuxSettings
  readonly sessions: () => Iterable<Session>
}

/** What a server was told last. */
interface Shown {
  readonly server: Server
  panes: Map<string, EngineStatus>
  summary: string | undefined
  /** The process that tells it something just now. */
  telling: Promise<unknown> | undefined
}

export class TmuxDisplay {
  readonly #parts: TmuxDisplayParts
  #servers = new Map<string, Shown>()
  /** The file for `gantry tmux status` is kept from the first time somebody asked. */
  #isAsked = false
  #looking: Promise<void> = Promise.resolve()
  #written: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #toldAt = Number.NEGATIVE_INFINITY
  #closed = false

  constructor(parts: TmuxDisplayParts) {
    this.#parts = parts
    rmSync(parts.places.tmuxStatus, { force: true }) // of a daemon that was killed
  }

  get servers(): (Server & { readonly panes: number })[] {
    return [...this.#servers.values()].map(({ server, panes }) => ({ ...server, panes: panes.size }))
  }

  /** Reads again which servers there are, and brings each to where it should be. */
  refresh(): Promise<void> {
    const looked = this.#looking.then(() => this.#look())
    this.#looking = looked.catch(() => {})
    return looked
  }

  async #look(): Promise<void> {
    const servers = new Map<string, Shown>()
    for (const { socket, pid, state } of readReceipts(this.#parts.places)) {
      const server = { socket, pid }
      if (!(await isThere(server))) dropReceipt(this.#parts.places, server)
      else if (state === 'applied') {
        await tell(socket, [badgeLine(this.#parts.settings())])
        const known = this.#servers.get(keyOf(server))
        const shown = known ?? { server, panes: new Map(), summary: undefined, telling: undefined }
        await shown.telling
        shown.panes = await paintedPanes(socket)
        shown.summary = undefined
        servers.set(keyOf(server), shown)
      }
    }
    if (this.#closed) return
    // Whoever takes us out of a server must find nothing under way.
    for (const [key, { telling }] of this.#servers) if (!servers.has(key)) await telling
    this.#servers = servers
    this.#flush()
  }

  /** After the answers have left. */
  committed(changes: readonly Change[]): void {
    if (changes.length > 0 && (this.#servers.size > 0 || this.#isAsked)) this.#soon()
  }

  /** The line as it is now; from here on it is kept in its file, too. */
  status(): string {
    this.#isAsked = true
    const line = this.#summary()
    this.#write(line)
    return line
  }

  /** Panes do not show what nobody keeps true. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    const { tmuxStatus } = this.#parts.places
    rmSync(tmuxStatus, { force: true })
    const cleared = [...this.#servers.values()].map(({ server, panes }) =>
      tell(server.socket, [...[...panes.keys()].map(clearPane), paintSummary('')]),
    )
    if (cleared.length > 0) await Promise.race([Promise.all(cleared), Bun.sleep(CLEAR_ON_STOP_MS)])
  }

  #soon(): void {
    if (this.#closed || this.#timer !== undefined) return
    const pause = Math.max(GATHER_MS, this.#toldAt + PAUSE_MS - performance.now())
    this.#timer = setTimeout(() => this.#flush(), pause)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const summary = this.#summary()
    this.#write(summary)
    if (this.#servers.size === 0) return
    const wanted = this.#wanted()
    for (const shown of this.#servers.values())
      void this.#show(shown, wanted.get(keyOf(shown.server)) ?? new Map(), summary)
  }

  async #show(shown: Shown, wanted: ReadonlyMap<string, EngineStatus>, summary: string): Promise<void> {
    if (shown.telling) return // it looks again when it is done
    const settings = this.#parts.settings()
    const lines: string[] = []
    for (const [pane, status] of wanted)
      if (shown.panes.get(pane) !== status) {
        shown.panes.set(pane, status)
        lines.push(...paintPane(pane, status, settings))
      }
    for (const pane of [...shown.panes.keys()])
      if (!wanted.has(pane)) {
        shown.panes.delete(pane)
        lines.push(...paintPane(pane, undefined, settings))
      }
    if (shown.summary !== summary) lines.push(paintSummary(summary))
    if (lines.length === 0) return
    shown.summary = summary
    this.#toldAt = performance.now()
    const told = tell(shown.server.socket, lines)
    shown.telling = told
    const { ok } = await told
    shown.telling = undefined
    if (!ok && !(await isThere(shown.server))) this.#forget(shown.server)
    else this.#soon()
  }

  #forget(server: Server): void {
    this.#servers.delete(keyOf(server))
    dropReceipt(this.#parts.places, server)
    this.#parts.log.info('tmux', `the server at ${server.socket} is gone`)
  }

  /** Server → pane → the most urgent of the sessions in it. */
  #wanted(): Map<string, Map<string, EngineStatus>> {
    const wanted = new Map<string, Map<string, EngineStatus>>()
    for (const session of this.#parts.sessions()) {
      if (session.endedAt !== undefined) continue
      const pane = paneOf(session)
      if (!pane || !this.#servers.has(keyOf(pane))) continue
      const panes = wanted.get(keyOf(pane)) ?? new Map<string, EngineStatus>()
      panes.set(pane.pane, mostUrgent(panes.get(pane.pane), statusOf(session)))
      wanted.set(keyOf(pane), panes)
    }
    return wanted
  }

  #summary(): string {
    const now = Date.now()
    const live = [...this.#parts.sessions()].filter(
      (session) => session.endedAt === undefined && !isStale(session, now),
    )
    return summaryOf(live.map(summarized), this.#parts.settings())
  }

  /** The pid lets a reader tell a line that nobody keeps any more. */
  #write(line: string): void {
    if (this.#closed || this.#written === line) return
    if (!this.#isAsked && this.#servers.size === 0) return
    try {
      writeAtomic(this.#parts.places.tmuxStatus, `${process.pid}\n${line}\n`)
      this.#written = line
    } catch {
      // A full disk; the next change tries again.
    }
  }
}

/** One that has only started wants nothing of anybody, as one that is done. */
function statusOf(session: Session): EngineStatus {
  return engine(session) ?? 'done'
}

function summarized(session: Session): Summarized {
  const status = statusOf(session)
  const asks = session.attention.find(({ kind }) => kind !== 'idle')
  const needs = asks !== undefined && (status === 'error' || status === 'attention')
  return {
    name: session.name,
    status,
    ...(needs ? { need: { reason: asks.reason, since: asks.since } } : {}),
  }
}

/** What a daemon before this one left. */
async function paintedPanes(socket: string): Promise<Map<string, EngineStatus>> {
  const { out } = await ask(socket, ['list-panes', '-a', '-F', `#{pane_id} #{${STATUS_OPTION}}`])
  const rows = out.split('\n').map((line) => line.split(' '))
  // As if it had been anything else: settings may have changed, so each is told again.
  return new Map(rows.flatMap(([pane = '', status]) => (status ? [[pane, 'unknown' as EngineStatus]] : [])))
}

function keyOf({ socket, pid }: Server): string {
  return `${socket},${pid}`
}
