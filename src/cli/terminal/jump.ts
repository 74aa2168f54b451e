/** Jumps to the pane of a session, or of the next session that needs the user. */
import { call } from '../../client/index.ts'
import { GantryError, messageOf } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { isPane, type Pane, paneOf, runCommand, type Server, serverOf } from '../../core/tmux.ts'
import { jump, nextOf } from '../../tmux/index.ts'
import type { Input } from '../framework/define.ts'
import { out, plain } from '../framework/terminal.ts'
import type * as commands from './index.ts'

export function toSession({ args, flags, places }: Input<typeof commands.jump>): Promise<number> {
  return inClient(flags.client, () => goTo(places, args.session, flags.client))
}

export function toNext({ flags, places }: Input<typeof commands.next>): Promise<number> {
  return inClient(flags.client, () => goOn(places, flags.client))
}

async function goTo(places: Places, name: string, client: string | undefined): Promise<void> {
  const session = await call(places, 'sessions.get', { session: name })
  const pane = paneOf(session)
  if (!pane)
    throw new GantryError(
      'VALIDATION_ERROR',
      `${session.name} is in no tmux pane. It works in ${session.cwd ?? '?'}.`,
    )
  await jump(pane, { own: ownServer(), client })
}

async function goOn(places: Places, client: string | undefined): Promise<void> {
  const sessions = await call(places, 'sessions.list')
  const needy = sessions.filter(({ needsYou }) => needsYou)
  const waiting = needy.flatMap((session) => {
    const pane = paneOf(session)
    return pane ? [{ key: session.key, pane }] : []
  })
  const next = nextOf(waiting, await herePane(client))
  if (next) return jump(next.pane, { own: ownServer(), client })
  const elsewhere = needy.map(({ name }) => name).join(', ')
  const none =
    elsewhere === '' ? 'Nobody needs you.' : `Nobody in tmux needs you; outside of it: ${elsewhere}.`
  throw new GantryError('VALIDATION_ERROR', none)
}

/** A key binding has no terminal to print to, so tmux shows the error. */
async function inClient(client: string | undefined, act: () => Promise<void>): Promise<number> {
  const own = ownServer()
  try {
    await act()
    return 0
  } catch (error) {
    if (client === undefined || !own) throw error
    const message = plain(`gantry: ${messageOf(error)}`).replaceAll('#', '##')
    const { ok } = await runCommand(own.socket, ['display-message', '-c', client, message])
    if (!ok) out(message)
    return 0
  }
}

function ownServer(): Server | undefined {
  return serverOf(process.env.TMUX)
}

/** The active pane of the client, or the pane this runs in. */
async function herePane(client: string | undefined): Promise<Pane | undefined> {
  const own = ownServer()
  if (!own) return undefined
  const asked =
    client && (await runCommand(own.socket, ['display-message', '-p', '-c', client, '#{pane_id}'])).out.trim()
  const pane = asked || process.env.TMUX_PANE || ''
  return isPane(pane) ? { ...own, pane } : undefined
}
