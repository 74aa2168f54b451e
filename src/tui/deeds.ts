/** What keys do outside the screen: go to a pane, type into it, end an agent, start the daemon. Each says how it went. */
import { call, type SessionView } from '../client/index.ts'
import type { Places } from '../places.ts'
import { selfCommand } from '../self.ts'
import { clean } from './model/text.ts'
import { endAgent } from './process.ts'
import { type Done, interruptPane, paneOf, typeInto, wayTo } from './tmux.ts'

const START_LIMIT_MS = 20_000 // a little more than `gantry up` gives itself
const SEEN_LIMIT_MS = 2_000

const NO_PANE = 'It runs in no tmux pane that is known, so there is nowhere to go.'

/** `lend` gives the terminal to a program that attaches. */
export async function jump(
  places: Places,
  session: SessionView,
  lend: (argv: readonly string[]) => Promise<void>,
): Promise<Done> {
  const pane = paneOf(session)
  if (!pane) return { ok: false, says: NO_PANE }
  const way = await wayTo(pane, process.env.TMUX)
  if (way.kind === 'no') return { ok: false, says: way.why }
  // Whoever goes there has looked at it. Being told so is worth nothing to wait for.
  void call(places, 'sessions.seen', { session: session.key }, { deadlineMs: SEEN_LIMIT_MS }).catch(() => {})
  if (way.kind === 'attach') await lend(way.argv)
  return { ok: true, says: '' }
}

export async function interrupt(session: SessionView): Promise<Done> {
  const pane = paneOf(session)
  if (!pane) return { ok: false, says: NO_PANE }
  const done = await interruptPane(pane)
  return done.ok ? { ok: true, says: `Escape sent to ${session.name}.` } : done
}

export async function send(session: SessionView, text: string): Promise<Done> {
  const pane = paneOf(session)
  if (!pane) return { ok: false, says: NO_PANE }
  const done = await typeInto(pane, clean(text))
  return done.ok ? { ok: true, says: `Sent to ${session.name}.` } : done
}

export function kill(session: SessionView): Promise<Done> {
  return endAgent(session)
}

/** `gantry up` in a process of its own, which ends when the daemon listens. */
export async function startDaemon(places: Places): Promise<Done> {
  const home = places.home === undefined ? {} : { GANTRY_HOME: places.home }
  const child = Bun.spawn([...selfCommand(), 'up', '--quiet'], {
    cwd: '/',
    env: { ...process.env, ...home },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: START_LIMIT_MS,
  })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) === 0) return { ok: true, says: 'The daemon is up.' }
  return {
    ok: false,
    says: clean(said.replace(/^gantry: /, '')) || 'The daemon did not start. See: gantry up',
  }
}
