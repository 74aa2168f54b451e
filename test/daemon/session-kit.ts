/** What a running daemon knows of its sessions, asked as every surface asks: without the start of a command. */
import { call, type SessionView } from '../../src/client/index.ts'
import type { Places } from '../../src/places.ts'
import { until } from '../kit.ts'

export const sessionIn = async (at: Places, session: string) =>
  (await call(at, 'sessions.get', { session })) as SessionView

export const sessionsIn = async (at: Places) =>
  (await call(at, 'sessions.list', { all: true })) as SessionView[]

/** The session once this holds of it. */
export const sessionWhen = (
  at: Places,
  session: string,
  holds: (shown: SessionView) => boolean,
  what = 'another state',
): Promise<SessionView> =>
  until(async () => {
    const shown = await sessionIn(at, session)
    return holds(shown) ? shown : undefined
  }, `${what} of session ${session}`)

export const phaseIn = (at: Places, session: string, phase: SessionView['phase']) =>
  sessionWhen(at, session, (shown) => shown.phase === phase, phase)
