/** What a running daemon knows of its sessions, asked as every surface asks: without the start of a command. */
import { call, type SessionView } from '../../src/client/index.ts'
import type { Places } from '../../src/core/files/paths.ts'
import { newId } from '../../src/events/index.ts'
import { journal, sendFrame, until } from '../kit.ts'

export const sessionIn = (at: Places, session: string) => call(at, 'sessions.get', { session })

export const sessionsIn = (at: Places) => call(at, 'sessions.list', { all: true })

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

/** A session whose agent is killed, to the end of it: by then the processes of all agents have been looked at. */
export async function killedAgent(at: Places, id: string = newId()): Promise<void> {
  const agent = Bun.spawn(['sleep', '60'])
  const payload = JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: id, prompt: 'go' })
  await sendFrame(at, { payload, header: { env: { CLAUDE_PID: String(agent.pid) } } })
  await until(
    () => journal(at, `SELECT 1 FROM processes WHERE pid = ${agent.pid}`).length > 0,
    'its process to be written down',
  )
  agent.kill('SIGKILL')
  await agent.exited
  await phaseIn(at, id, 'ended')
}
