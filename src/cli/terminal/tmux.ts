/** Applies and removes gantry's tmux settings, prints the status line, and marks panes as seen. */
import { call } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { isPane } from '../../core/tmux.ts'
import {
  type Applied,
  apply,
  confLine,
  DEFAULT_KEYS,
  defaultSocket,
  type Keys,
  leave,
  serverAt,
  unapply,
} from '../../tmux/index.ts'
import { isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import { green, out, outJson, plain, yellow } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

export async function applied(input: Input<typeof commands.apply>): Promise<number> {
  const keys: Keys = {
    next: input.flags['next-key'] ?? DEFAULT_KEYS.next,
    fleet: input.flags['fleet-key'] ?? DEFAULT_KEYS.fleet,
  }
  if (input.flags.print) {
    out(confLine(input.places, keys))
    return 0
  }
  const applied = await apply(
    input.places,
    await serverAt(input.flags.socket ?? defaultSocket(process.env)),
    keys,
  )
  const isUp = await refreshed(input.places)
  const notes = isUp
    ? applied.notes
    : [...applied.notes, 'The daemon is not running: start it with gantry up']
  return report(input, { ...applied, notes }, 'shows your agents')
}

export async function unapplied(input: Input<typeof commands.unapply>): Promise<number> {
  const server = await serverAt(input.flags.socket ?? defaultSocket(process.env))
  leave(input.places, server)
  await refreshed(input.places)
  return report(input, await unapply(input.places, server), 'is as it was')
}

export async function status({ flags, places }: Input<typeof commands.status>): Promise<number> {
  const status = await call(places, 'tmux.status')
  out(flags.json ? JSON.stringify(status) : status.line)
  return 0
}

/** For the focus hook. */
export async function seen({
  args: { pane },
  flags: { socket, server },
  places,
}: Input<typeof commands.seen>): Promise<number> {
  if (!isPane(pane)) throw usageError(`"${pane}" is not a tmux pane.`)
  await call(places, 'tmux.seen', { pane, pid: server, socket })
  return 0
}

/** Makes the daemon reload the list of tmux servers. False if it is down: it loads the list when it starts. */
async function refreshed(places: Places): Promise<boolean> {
  try {
    await call(places, 'tmux.refresh')
    return true
  } catch (error) {
    if (isAway(error)) return false
    throw error
  }
}

function report(
  { flags }: Input<typeof commands.apply | typeof commands.unapply>,
  { server, notes }: Applied,
  what: string,
): number {
  if (flags.json) return outJson({ ...server, notes })
  if (!flags.quiet) out(`${green('✓')} tmux at ${plain(server.socket)} ${what}.`)
  for (const note of notes) out(`${yellow('!')} ${plain(note)}`)
  return 0
}
