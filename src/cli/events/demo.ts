/**
 * Replays recorded sessions of five agents in a separate daemon, in a temporary folder. On a terminal they are shown in the TUI,
 * elsewhere as one line per change. The user's own gantry is not touched.
 */
import { lookOf, type SessionView, subscribeSessions } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { selfCommand } from '../../core/processes/self.ts'
import { pause, within } from '../../core/time/waits.ts'
import { type DemoRecording, demoRecordings, play } from '../../replay/index.ts'
import type { Input } from '../framework/define.ts'
import { counted, cyan, dim, isTerminal, out } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { whatOf } from '../sessions/table.ts'
import { makeDemoHome, removeDemoHome, removeLeftDemos } from './demo-home.ts'
import type * as commands from './index.ts'

const LASTS_MS = 60_000
const STAGGER_MS = 700 // sessions do not begin all at once
const AGAIN_MS = 1_500
const MAX_GAP_MS = 10_000
const STOP_MS = 10_000

export async function run({ flags }: Input<typeof commands.demo>): Promise<number> {
  const { speed, for: span } = flags
  if (span === 0) throw usageError('--for takes a time span above 0s.')
  const totalMs = span ?? (isTerminal() ? undefined : LASTS_MS)
  const { startDaemon } = await import('../../daemon/index.ts')
  const end = new AbortController()
  await removeLeftDemos(Date.now())
  const at = makeDemoHome()
  process.on('exit', () => removeDemoHome(at)) // also if nobody reads on, as with head
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
      isTerminal() ? watch(at, end) : undefined,
      follow(at, show, end.signal),
      ...demoRecordings().map((one, i) => again(one, i * STAGGER_MS, at, speed, show, end.signal)),
    ])
  } catch (error) {
    // Who talks to a daemon that is stopped from elsewhere may notice it before the daemon is done.
    const isStopped = daemon.stopped.then(() => true)
    if (!(await within(isStopped, STOP_MS))) throw error
  } finally {
    clearTimeout(timer)
    await daemon.stop()
    removeDemoHome(at)
    show.end()
  }
  return 0
}

/** Runs the TUI as a separate process; it and the demo end together. */
async function watch({ home = '' }: Places, end: AbortController): Promise<void> {
  const child = Bun.spawn([...selfCommand(), '--home', home], { stdio: ['inherit', 'inherit', 'inherit'] })
  end.signal.addEventListener('abort', () => child.kill('SIGTERM'))
  await child.exited
  end.abort()
}

/** Replays one recording in a loop, each time as a new session. */
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

class Show {
  readonly #home: string
  readonly #sessions = new Map<string, SessionView>()
  readonly #isTerminal = isTerminal()
  #seen = 0
  #events = 0

  constructor(at: Places) {
    this.#home = at.home ?? ''
  }

  begin(): void {
    if (this.#isTerminal) return
    const gantry = process.env.npm_lifecycle_event === undefined ? 'gantry' : './bin/gantry'
    const lines = ['sessions', 'bus subscribe', 'search tests'].map(
      (name) => `${gantry} ${name} --home ${this.#home}`,
    )
    out(
      [
        'A fleet of recorded sessions, in a daemon of its own.',
        dim('Ctrl-C ends it and leaves nothing behind. Meanwhile, in another terminal:'),
        ...[...lines, `GANTRY_HOME=${this.#home} ${gantry}`].map((line) => `  ${cyan(line)}`),
        '',
      ].join('\n'),
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
    const { agent, name } = session
    const what = `${lookOf(session).word}  ${whatOf(session, Infinity)}`
    if (!this.#isTerminal) out(`${agent.padEnd(8)} ${name.padEnd(18)} ${what}`.trimEnd())
  }

  end(): void {
    out(
      `${counted(this.#events, 'event')} of ${counted(this.#seen, 'session')} were played; nothing of it is left.\nFor your own agents: gantry up && gantry install`,
    )
  }
}
