/**
 * Jumps to a session's pane: within the same server by switching the client, to another server by attaching to it.
 *
 *   await jump(pane, { own: serverOf(process.env.TMUX), client: '/dev/pts/3' })
 */
import { GantryError } from '../core/errors.ts'
import { shellWord } from '../core/text/text.ts'
import { type Pane, runCommand, type Server } from '../core/tmux.ts'
import { gone, paneState } from './pane.ts'
import { serverAt } from './server.ts'

interface Here {
  /** The server we run in. */
  readonly own: Server | undefined
  /** The client to switch; without it, the one tmux assumes. */
  readonly client: string | undefined
}

export async function jump(to: Pane, { own, client }: Here): Promise<void> {
  await mustBeThere(to)
  if (!own) throw refusal(`You are not in tmux. Go there with: ${attachCommand(to)}`)
  await select(to)
  const isHere = own.socket === to.socket
  if (isHere) await must(to.socket, ['switch-client', ...(client ? ['-c', client] : []), '-t', to.pane])
  else
    await must(own.socket, [
      'detach-client',
      ...(client ? ['-t', client] : []),
      '-E',
      `exec env -u TMUX ${attachCommand(to)}`,
    ])
}

/** For a view that stays open: switches its client. Outside of tmux, gives the command that shows the pane. */
export async function switchTo(to: Pane, own: Server | undefined): Promise<readonly string[] | undefined> {
  await mustBeThere(to)
  if (own && own.socket !== to.socket) throw refusal(`It is in another tmux: ${attachCommand(to)}`)
  await select(to)
  if (!own) return ['tmux', '-S', to.socket, 'attach-session', '-t', to.pane]
  await must(own.socket, ['switch-client', '-t', to.pane])
  return undefined
}

interface Shown {
  /** The tmux client that shows the pane now; null if none is attached to its server. */
  readonly client: string | null
  /** The command that attaches one. */
  readonly attach: string
}

/** For somebody outside of tmux: shows the pane in the client that was used last. */
export async function show(to: Pane): Promise<Shown> {
  await mustBeThere(to)
  await select(to)
  const { out } = await runCommand(to.socket, ['list-clients', '-F', '#{client_activity} #{client_name}'])
  const clients = out.split('\n').flatMap((line) => {
    const [, used = '', name = ''] = /^(\d+) (.+)$/.exec(line) ?? []
    return name === '' ? [] : [{ used: Number(used), name }]
  })
  const last = clients.sort((a, b) => b.used - a.used)[0]
  if (last) await must(to.socket, ['switch-client', '-c', last.name, '-t', to.pane])
  return { client: last?.name ?? null, attach: attachCommand(to) }
}

async function mustBeThere(to: Pane): Promise<void> {
  if (await paneState(to)) return
  const isGone = (await serverAt(to.socket).catch(() => undefined))?.pid !== to.pid
  const what = isGone ? `The tmux server of its pane ${to.pane} is gone.` : gone(to)
  throw refusal(`${what} "gantry sessions" shows what is there.`)
}

async function select({ socket, pane }: Pane): Promise<void> {
  for (const command of ['select-window', 'select-pane']) await must(socket, [command, '-t', pane])
}

async function must(socket: string, argv: readonly string[]): Promise<void> {
  const { ok, err } = await runCommand(socket, argv)
  if (!ok) throw refusal(`tmux ${argv[0]}: ${err || 'no answer'}`)
}

function refusal(says: string): GantryError {
  return new GantryError('VALIDATION_ERROR', says)
}

function attachCommand({ socket, pane }: Pane): string {
  return `tmux -S ${shellWord(socket)} attach-session -t '${pane}'`
}

interface Waiting {
  readonly key: string
  readonly pane: Pane
}

/** The first in the list; from a pane that is in the list itself, the one after it. */
export function nextOf<One extends Waiting>(
  waiting: readonly One[],
  here: Pane | undefined,
): One | undefined {
  const at = waiting.findIndex(({ pane }) => here !== undefined && isSame(pane, here))
  return waiting[(at + 1) % waiting.length]
}

function isSame(a: Pane, b: Pane): boolean {
  return a.socket === b.socket && a.pid === b.pid && a.pane === b.pane
}
