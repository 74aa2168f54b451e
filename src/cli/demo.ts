/**
 * A fleet without any agent: recorded sessions of all of them, played through the real door of a daemon of its own, in a
 * folder that is gone afterwards. On a terminal it is seen in the very TUI that shows one's own; elsewhere each change is a
 * line. Nothing of the user's own gantry is touched.
 */
import { type SessionView, spanOf, subscribeSessions } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { selfCommand } from '../core/self.ts'
import { type DemoRecording, demoRecordings, play } from '../replay/index.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { makeDemoHome, removeDemoHome, removeLeftDemos } from './demo-home.ts'
import { changeOf, hintsOf } from './demo-screen.ts'
import { counted, isAtTerminal, out } from './terminal.ts'

const LASTS = '60s'
const STAGGER_MS = 700 // sessions do not begin all at once
const AGAIN_MS = 1_500
const MAX_GAP_MS = 10_000

export const demo: Command = {
  name: 'demo',
  summary: 'See a fleet of recorded sessions live, without any agent',
  usage: '[--for 60s] [--speed 1]',
  options: {
    for: {
      type: 'string',
      value: 'span',
      help: `How long it goes on (default: until q on a terminal, ${LASTS} elsewhere)`,
    },
    speed: { type: 'string', value: 'n', help: 'So many times as fast (default 1)' },
  },
  examples: [
    { line: 'gantry demo', does: 'Five agents at work, in the TUI; q ends it and leaves nothing behind' },
    { line: 'gantry demo --for 10m | tee demo.log', does: 'A line for each change, for ten minutes' },
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
    const show = new Show(at)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end.abort())
    void daemon.stopped.then(() => end.abort()) // "gantry down" from elsewhere
    const timer = totalMs === undefined ? undefined : setTimeout(() => end.abort(), totalMs)
    try {
      show.begin()
      await Promise.all([
        isAtTerminal() ? watch(at, end) : undefined,
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

/** The TUI is a process of its own, as it would be beside a daemon; the demo ends with it, and it with the demo. */
async function watch({ home = '' }: Places, end: AbortController): Promise<void> {
  const child = Bun.spawn([...selfCommand(), '--home', home], { stdio: ['inherit', 'inherit', 'inherit'] })
  end.signal.addEventListener('abort', () => child.kill('SIGTERM'))
  await child.exited
  end.abort()
}

function optionsOf(input: Input): { totalMs: number | undefined; speed: number } {
  const span = stringFlag(input, 'for')
  const totalMs = spanOf(span ?? LASTS)
  const speed = Number(stringFlag(input, 'speed') ?? '1')
  if (totalMs === undefined || totalMs <= 0)
    throw new GantryError('USAGE', '--for takes a time span: 30s, 5m, 1h.')
  if (!(speed > 0)) throw new GantryError('USAGE', '--speed takes a number above 0.')
  return { totalMs: span === undefined && isAtTerminal() ? undefined : totalMs, speed }
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
  readonly #sessions = new Map<string, SessionView>()
  readonly #isTerminal = isAtTerminal()
  #seen = 0
  #events = 0

  constructor(at: Places) {
    this.#home = at.home ?? ''
  }

  begin(): void {
    if (this.#isTerminal) return
    out(
      ['A fleet of recorded sessions, in a daemon of its own.', ...hintsOf({ home: this.#home }), ''].join(
        '\n',
      ),
    )
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
    out(
      `${counted(this.#events, 'event')} of ${counted(this.#seen, 'session')} were played; nothing of it is left.\nFor your own agents: gantry up && gantry install`,
    )
  }
}
