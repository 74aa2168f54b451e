/**
 * What gantry shows of the agent in one folder: a subscription as any view has it, read every 50 ms. While nobody
 * answers, gantry shows nothing, and that is not right either.
 */
import { connect, type Socket } from 'node:net'
import type { SessionView } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { now, SAMPLE_MS, type Sample } from './timeline.ts'

const AGAIN_MS = 10

export interface Watch {
  /** Every 50 ms. */
  readonly samples: readonly Sample[]
  /** Every change, when it arrived. */
  readonly shown: readonly Sample[]
  /** The session that runs there now, as last told. */
  current(): SessionView | undefined
  session(id: string): SessionView | undefined
  close(): void
}

export function watchSessions(places: Places, cwd: string): Watch {
  const samples: Sample[] = []
  const shown: Sample[] = []
  const sessions = new Map<string, SessionView>()
  let socket: Socket | undefined
  let again: Timer | undefined
  let closed = false

  const current = () =>
    [...sessions.values()]
      .filter((one) => one.cwd === cwd && one.parentSessionId === undefined)
      .sort((a, b) => a.startedAt - b.startedAt)
      .at(-1)

  function note(): void {
    const phase = current()?.phase
    if (shown.at(-1)?.phase !== phase || shown.length === 0) shown.push({ at: now(), phase })
  }

  function take(line: string): void {
    const said = JSON.parse(line) as { snapshot?: { sessions: SessionView[] }; session?: SessionView }
    for (const one of said.snapshot?.sessions ?? []) sessions.set(one.key, one)
    if (said.session) sessions.set(said.session.key, said.session)
    note()
  }

  function open(): void {
    let rest = ''
    const fresh = connect(places.socket)
    socket = fresh
    fresh.setEncoding('utf8')
    fresh.on('connect', () => fresh.write('{"sub":"sessions"}\n'))
    fresh.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) take(line)
    })
    fresh.on('error', () => {})
    fresh.on('close', () => {
      sessions.clear()
      note()
      if (!closed) again = setTimeout(open, AGAIN_MS)
    })
  }

  open()
  const timer = setInterval(() => samples.push({ at: now(), phase: current()?.phase }), SAMPLE_MS)
  return {
    samples,
    shown,
    current,
    session: (id) => [...sessions.values()].find((one) => one.id === id),
    close: () => {
      closed = true
      clearInterval(timer)
      clearTimeout(again)
      socket?.destroy()
    },
  }
}
