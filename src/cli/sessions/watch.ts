/**
 * `gantry sessions --watch`: on a terminal a table, redrawn on each change and each second; elsewhere one line or one JSON
 * record per change.
 */
import { aged, LOOKS, type SessionChange, SessionFeed, type SessionView } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { Alarm } from '../../core/time/alarm.ts'
import { columns, counted, cut, dim, note, out, red, sanitize, yellow } from '../framework/terminal.ts'
import type { Filter } from './filter.ts'
import { changeLine, inTable, tableOf } from './table.ts'

const REDRAW_MS = 100 // throttle: nobody reads faster
const TICK_MS = 1_000 // durations have seconds

const LEAVING = ['q', '\u0003', '\u0004'] // Ctrl-C is a letter in raw mode
const ALTERNATE = '\u001b[?1049h\u001b[?25l'
const BACK = '\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

interface Watched {
  readonly places: Places
  readonly passes: Filter
  readonly all: boolean
  readonly json: boolean
}

/** Runs until Ctrl-C, q, or the end of the terminal, and restores the terminal. */
export async function watchSessions(watched: Watched): Promise<number> {
  const feed = new SessionFeed(watched.places)
  const done = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done.resolve())
  const isScreen = process.stdout.isTTY === true && !watched.json
  const show = isScreen ? new Screen(watched, done.resolve) : new Lines(watched)
  feed.take({ changed: (change) => show.changed(change), away: (why) => show.away(why) })
  await done.promise
  feed.close()
  show.close()
  return 0
}

class Known {
  readonly sessions = new Map<string, SessionView>()

  /** The sessions in the change. */
  take(change: SessionChange): readonly SessionView[] {
    if ('session' in change) {
      this.sessions.set(change.session.key, change.session)
      return [change.session]
    }
    this.sessions.clear()
    for (const session of change.snapshot.sessions) this.sessions.set(session.key, session)
    return change.snapshot.sessions
  }
}

class Screen {
  readonly #known = new Known()
  readonly #watched: Watched
  readonly #tick = setInterval(() => this.#draw(), TICK_MS)
  readonly #key = (bytes: Buffer) => LEAVING.some((key) => bytes.includes(key)) && this.#leave()
  readonly #resized = () => this.#later()
  readonly #leave: () => void
  readonly #next = new Alarm(() => this.#draw())
  #problem: string | undefined = 'Asking the daemon …'

  constructor(watched: Watched, leave: () => void) {
    this.#watched = watched
    this.#leave = leave
    process.stdout.write(ALTERNATE)
    process.stdout.on('resize', this.#resized)
    process.stdout.on('error', leave) // a terminal that was closed
    if (process.stdin.isTTY) process.stdin.setRawMode(true)
    process.stdin.on('data', this.#key).on('end', leave)
    this.#draw()
  }

  changed(change: SessionChange): void {
    this.#problem = undefined
    this.#known.take(change)
    this.#later()
  }

  away(why: string): void {
    this.#problem = `The daemon is away (${why}) Trying again.`
    this.#later()
  }

  close(): void {
    clearInterval(this.#tick)
    this.#next.clear()
    process.stdout.off('resize', this.#resized)
    process.stdin.off('data', this.#key)
    if (process.stdin.isTTY) process.stdin.setRawMode(false)
    process.stdin.pause()
    process.stdout.write(BACK)
  }

  #later(): void {
    this.#next.within(REDRAW_MS)
  }

  #draw(): void {
    this.#next.clear()
    const rows = process.stdout.rows || 24
    const lines = this.#lines(rows).slice(0, rows)
    const text = lines.map((line) => sanitize(line) + CLEAR_LINE).join('\r\n')
    process.stdout.write(`${HOME}${text}${CLEAR_BELOW}`)
  }

  #lines(rows: number): string[] {
    const now = Date.now()
    const { all, passes } = this.#watched
    const living = [...this.#known.sessions.values()].map((session) => aged(session, now))
    const sessions = inTable(living, (session) => (all || session.endedAt === undefined) && passes(session))
    const width = columns()
    const table = tableOf(sessions, width, now)
    const needs = sessions.filter(({ needsYou }) => needsYou).length
    const title = `${counted(sessions.length, 'session')}${needs > 0 ? yellow(`  ${LOOKS.asks.mark} ${counted(needs, 'needs', 'need')} you`) : ''}`
    const problem = this.#problem === undefined ? [] : [red(cut(this.#problem, width))]
    const room = Math.max(1, rows - 3 - problem.length)
    const hidden = sessions.length - room
    const shown = hidden > 0 ? sessions.slice(0, room - 1) : sessions
    return [
      ...[title, ...problem],
      ...(sessions.length === 0 ? [] : [table.header, ...shown.map(table.row)]),
      ...(hidden > 0 ? [dim(`… ${sessions.length - shown.length} more`)] : []),
      dim('q quits'),
    ]
  }
}

class Lines {
  readonly #known = new Known()
  readonly #watched: Watched
  #last = new Map<string, string>()

  constructor(watched: Watched) {
    this.#watched = watched
  }

  changed(change: SessionChange): void {
    for (const session of this.#known.take(change)) this.#tell(session, 'snapshot' in change)
  }

  away(why: string): void {
    note(`the daemon is away; waiting for it (${why})`)
  }

  close(): void {}

  /** Skips a line that equals the last one. */
  #tell(session: SessionView, isFirst: boolean): void {
    const { all, passes, json } = this.#watched
    if (!passes(session) || (isFirst && !all && session.endedAt !== undefined)) return
    const line = json ? JSON.stringify(session) : changeLine(session)
    if (this.#last.get(session.key) === line) return
    this.#last.set(session.key, line)
    out(line)
  }
}
