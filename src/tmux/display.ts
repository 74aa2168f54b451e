/**
 * Updates colours in tmux as sessions change, on servers where `gantry tmux apply` was run. Without such a server it
 * does nothing. Changes are batched, then one tmux process per server sends the differences.
 */
import { rmSync } from 'node:fs'
import type { Places } from '../core/files/paths.ts'
import { writeAtomic } from '../core/files/private-files.ts'
import type { Log } from '../core/log.ts'
import { Alarm } from '../core/time/alarm.ts'
import { within } from '../core/time/waits.ts'
import { runCommand, runLines, type Server } from '../core/tmux.ts'
import type { Change, EngineStatus, Session } from '../sessions/state/index.ts'
import {
  badgeLine,
  clearPane,
  dropReceipt,
  isThere,
  paintPane,
  paintSummary,
  readReceipts,
  STATUS_OPTION,
  serverKey,
  Tally,
  type TmuxSettings,
} from './index.ts'

const GATHER_MS = 20 // debounce: a turn is a burst of hooks, and each update is a process and a redraw
const PAUSE_MS = 100 // throttle: many sessions change all the time, faster than anybody can see
const CLEAR_ON_STOP_MS = 500

interface TmuxDisplayParts {
  readonly places: Places
  readonly log: Log
  readonly settings: () => TmuxSettings
  readonly sessions: () => Iterable<Session>
}

/** What a server shows now. */
interface Shown {
  readonly server: Server
  panes: Map<string, EngineStatus>
  summary: string | undefined
  /** The running update. */
  telling: Promise<unknown> | undefined
}

export class TmuxDisplay {
  readonly #parts: TmuxDisplayParts
  #servers = new Map<string, Shown>()
  /** The file for `gantry tmux status` is maintained after the first request for it. */
  #isAsked = false
  /** Only while somebody looks. */
  #tally: Tally | undefined
  #looking: Promise<void> = Promise.resolve()
  #written: string | undefined
  readonly #next = new Alarm(() => this.#flush())
  #toldAt = Number.NEGATIVE_INFINITY
  #closed = false

  constructor(parts: TmuxDisplayParts) {
    this.#parts = parts
    rmSync(parts.places.tmuxStatus, { force: true }) // left by a killed daemon
  }

  get servers(): (Server & { readonly panes: number })[] {
    return [...this.#servers.values()].map(({ server, panes }) => ({ ...server, panes: panes.size }))
  }

  /** Reads the list of servers again and updates each. */
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
        await runLines(socket, [badgeLine(this.#parts.settings())])
        const known = this.#servers.get(serverKey(server))
        const shown = known ?? { server, panes: new Map(), summary: undefined, telling: undefined }
        await shown.telling
        shown.panes = await paintedPanes(socket)
        shown.summary = undefined
        servers.set(serverKey(server), shown)
      }
    }
    if (this.#closed) return
    // `unapply` must find no update in progress.
    for (const [key, { telling }] of this.#servers) if (!servers.has(key)) await telling
    this.#servers = servers
    this.#tally = undefined // rebuilt on demand, so it misses nothing
    this.#flush()
  }

  /** Called after the replies were sent. */
  committed(changes: readonly Change[]): void {
    if (changes.length === 0) return
    if (this.#servers.size === 0 && !this.#isAsked) {
      this.#tally = undefined
      return
    }
    for (const { session } of changes) this.#tally?.put(session)
    this.#soon()
  }

  /** The current line. From now on it is also kept in its file. */
  status(): string {
    this.#isAsked = true
    const line = this.#counted().summary(this.#parts.settings())
    this.#write(line)
    return line
  }

  /** Clears the panes, because nobody would update them any more. */
  async close(): Promise<void> {
    this.#closed = true
    this.#next.clear()
    const { tmuxStatus } = this.#parts.places
    rmSync(tmuxStatus, { force: true })
    const cleared = [...this.#servers.values()].map(({ server, panes }) =>
      runLines(server.socket, [...[...panes.keys()].map(clearPane), paintSummary('')]),
    )
    if (cleared.length > 0) await within(Promise.all(cleared), CLEAR_ON_STOP_MS)
  }

  #soon(): void {
    if (!this.#closed) this.#next.within(Math.max(GATHER_MS, this.#toldAt + PAUSE_MS - performance.now()))
  }

  #flush(): void {
    this.#next.clear()
    if (this.#servers.size === 0 && !this.#isAsked) return
    const tally = this.#counted()
    const summary = tally.summary(this.#parts.settings())
    this.#write(summary)
    for (const shown of this.#servers.values()) void this.#show(shown, tally.panesOn(shown.server), summary)
  }

  async #show(shown: Shown, wanted: ReadonlyMap<string, EngineStatus>, summary: string): Promise<void> {
    if (shown.telling) return // it checks again when it is done
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
    const told = runLines(shown.server.socket, lines)
    shown.telling = told
    const { ok } = await told
    shown.telling = undefined
    if (!ok && !(await isThere(shown.server))) this.#forget(shown.server)
    else this.#soon()
  }

  #forget(server: Server): void {
    this.#servers.delete(serverKey(server))
    dropReceipt(this.#parts.places, server)
    this.#parts.log.info('tmux', `the server at ${server.socket} is gone`)
  }

  #counted(): Tally {
    this.#tally ??= new Tally(this.#parts.sessions())
    return this.#tally
  }

  /** The pid tells a reader whether the line is still maintained. */
  #write(line: string): void {
    if (this.#closed || this.#written === line) return
    if (!this.#isAsked && this.#servers.size === 0) return
    try {
      writeAtomic(this.#parts.places.tmuxStatus, `${process.pid}\n${line}\n`)
      this.#written = line
      this.#toldAt = performance.now()
    } catch {
      // The disk may be full; the next change tries again.
    }
  }
}

/** Panes that the previous daemon coloured. */
async function paintedPanes(socket: string): Promise<Map<string, EngineStatus>> {
  const { out } = await runCommand(socket, ['list-panes', '-a', '-F', `#{pane_id} #{${STATUS_OPTION}}`])
  const rows = out.split('\n').map((line) => line.split(' '))
  // Marked `unknown`, so that each is painted again: the settings may have changed.
  return new Map(rows.flatMap(([pane = '', status]) => (status ? [[pane, 'unknown' as EngineStatus]] : [])))
}
