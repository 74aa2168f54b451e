/**
 * A fleet without any agent: recorded sessions of all of them, played through the real door of a daemon of its own, in a
 * folder that is gone afterwards. Nothing of the user's own gantry is touched.
 */
import { type SessionView, spanOf, subscribeSessions } from '../client/index.ts'
import { GantryError } from '../errors.ts'
import type { Places } from '../places.ts'
import { type DemoRecording, demoRecordings, play } from '../replay/index.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { makeDemoHome, removeDemoHome, removeLeftDemos } from './demo-home.ts'
import { changeOf, frameOf, hintsOf } from './demo-screen.ts'
import { out } from './terminal.ts'

const LASTS = '60s'
const REDRAW_MS = 200
const STAGGER_MS = 700 // sessions do not begin all at once
const AGAIN_MS = 1_500
const MAX_GAP_MS = 10_000

const ALTERNATE = '\u001b[?1049h\u001b[?25l'
const BACK = '\u001b[?25h\u001b[?1049l'
const HOME_AND_CLEAR = '\u001b[H\u001b[J'

export const demo: Command = {
  name: 'demo',
  summary: 'See a fleet of recorded sessions live, without any agent',
  usage: '[--for 60s] [--speed 1]',
  options: {
    for: { type: 'string', value: 'span', help: `How long it goes on (default ${LASTS})` },
    speed: { type: 'string', value: 'n', help: 'So many times as fast (default 1)' },
  },
  examples: [
    { line: 'gantry demo', does: 'A minute of five agents at work; Ctrl-C ends it' },
    { line: 'gantry demo --for 10m', does: 'Long enough to try the other commands on it' },
  ],
  async run(input) {
    const { totalMs, speed } = optionsOf(input)
    const { startDaemon } = await import('../daemon/index.ts')
    const end = new AbortController()
    await removeLeftDemos(Date.now())
    const at = makeDemoHome()
    process.env.GANTRY_NATS = 'off' // what is only played must not be on anybody's bus
    const daemon = await startDaemon({ places: at })
    process.stdout.on('error', () => end.abort()) // a terminal that was closed
    const show = new Show(at, totalMs)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end.abort())
    void daemon.stopped.then(() => end.abort()) // "gantry down" from elsewhere
    const timer = setTimeout(() => end.abort(), totalMs)
    try {
      show.begin()
      await Promise.all([
        follow(at, show, end.signal),
        ...demoRecordings().map((one, i) => again(one, i * STAGGER_MS, at, speed, show, end.signal)),
      ])
    } finally {
      clearTimeout(timer)
      await daemon.stop()
      removeDemoHome(at)
      show.end()
    }
    return 0
  },
}

function optionsOf(input: Input): { totalMs: number; speed: number } {
  const totalMs = spanOf(stringFlag(input, 'for') ?? LASTS)
  const speed = Number(stringFlag(input, 'speed') ?? '1')
  if (totalMs === undefined || totalMs <= 0)
    throw new GantryError('USAGE', '--for takes a time span: 30s, 5m, 1h.')
  if (!(speed > 0)) throw new GantryError('USAGE', '--speed takes a number above 0.')
  return { totalMs, speed }
}

/** One recording over and over, each time as another session. */
async function again(
  { lines }: DemoRecording,
  delayMs: number,
  at: Places,
  speed: number,
  show: Show,
  signal: AbortSignal,
): Promise<void> {
  await pause(delayMs / speed, signal)
  while (!signal.aborted) {
    const onPlayed = () => show.played()
    await play(lines, { places: at, speed, maxGapMs: MAX_GAP_MS, asNow: true, signal, onPlayed }).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error
      },
    )
    await pause(AGAIN_MS / speed, signal)
  }
}

async function follow(at: Places, show: Show, signal: AbortSignal): Promise<void> {
  for await (const change of subscribeSessions(at, signal))
    if ('session' in change) show.changed(change.session)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
    if (signal.aborted) resolve()
  })
}

class Show {
  readonly #home: string
  readonly #totalMs: number
  readonly #start = performance.now()
  readonly #sessions = new Map<string, SessionView>()
  readonly #isTerminal = process.stdout.isTTY === true
  #timer: ReturnType<typeof setInterval> | undefined
  #seen = 0
  #events = 0

  constructor(at: Places, totalMs: number) {
    this.#home = at.home ?? ''
    this.#totalMs = totalMs
  }

  begin(): void {
    if (!this.#isTerminal) {
      out(
        ['A fleet of recorded sessions, in a daemon of its own.', ...hintsOf({ home: this.#home }), ''].join(
          '\n',
        ),
      )
      return
    }
    process.stdout.write(ALTERNATE)
    this.#draw()
    this.#timer = setInterval(() => this.#draw(), REDRAW_MS)
  }

  played(): void {
    this.#events += 1
  }

  changed(session: SessionView): void {
    const before = this.#sessions.get(session.key)
    if (!before) this.#seen += 1
    if (session.endedAt !== undefined && before?.endedAt !== undefined) return
    this.#sessions.set(session.key, session)
    if (!this.#isTerminal) out(changeOf(session))
  }

  end(): void {
    clearInterval(this.#timer)
    const told = `${this.#events} events of ${this.#seen} sessions were played; nothing of it is left.`
    process.stdout.write(
      `${this.#isTerminal ? BACK : ''}${told}\nFor your own agents: gantry up && gantry install\n`,
    )
  }

  #draw(): void {
    const now = Date.now()
    for (const [key, { endedAt }] of this.#sessions)
      if (endedAt !== undefined && now - endedAt > this.#totalMs) this.#sessions.delete(key)
    const frame = frameOf(
      {
        sessions: [...this.#sessions.values()],
        events: this.#events,
        elapsedMs: performance.now() - this.#start,
        totalMs: this.#totalMs,
        home: this.#home,
        now,
      },
      process.stdout.rows || 24,
    )
    process.stdout.write(HOME_AND_CLEAR + frame)
  }
}
