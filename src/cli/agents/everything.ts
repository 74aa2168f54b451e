/** What `gantry uninstall --everything` removes besides the hooks: tmux settings, the service, the daemon; with --data all files. */
import { existsSync, lstatSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { letStart } from '../../client/kept-down.ts'
import { GantryError, messageOf } from '../../core/errors.ts'
import { homeOf, type Places } from '../../core/files/paths.ts'
import { checkout, npmCommand } from '../../core/processes/self.ts'
import { shellWord } from '../../core/text/text.ts'
import { leave, readReceipts, serverAt, unapply } from '../../tmux/index.ts'
import { stop } from '../daemon/down.ts'
import { removeService } from '../daemon/service.ts'
import { ask } from '../framework/ask.ts'
import type { Input } from '../framework/define.ts'
import { cyan, isTerminal, out, plain, short } from '../framework/terminal.ts'
import { MARKS } from './changes.ts'
import type * as commands from './index.ts'

type Given = Input<typeof commands.uninstall>

export async function removeEverything({ places, flags }: Given): Promise<number> {
  const mayDelete = flags.data && (await isAgreed(places, flags.yes))
  for (const receipt of readReceipts(places)) await undoTmux(places, receipt.socket)
  const service = await removeService(places)
  if (service) out(`${MARKS.done} ${plain(service)} is gone`)
  letStart(places)
  await stop(places)
  if (mayDelete) for (const line of deleteData(places)) out(line)
  else
    out(
      `Your data stays: ${foldersOf(places)
        .map((one) => plain(short(one)))
        .join(', ')}`,
    )
  out(`The program itself: ${cyan(howToRemove())}`)
  return flags.data && !mayDelete ? 1 : 0
}

/** What would go, for --dry-run. */
export function showEverything(places: Places, withData: boolean): void {
  for (const { socket } of readReceipts(places)) out(`${MARKS.plan} tmux at ${plain(socket)}: as it was`)
  out(`${MARKS.plan} the service, if there is one, and the daemon`)
  if (withData) for (const folder of foldersOf(places)) out(`${MARKS.plan} ${plain(short(folder))}: deleted`)
}

async function isAgreed(places: Places, yes: boolean): Promise<boolean> {
  refuseSharedHome(places)
  const folders = foldersOf(places)
  if (folders.length === 0 || yes) return true
  const names = folders.map((one) => plain(short(one))).join(', ')
  if (!isTerminal()) {
    out(`The data was not deleted. Add ${cyan('--yes')} to delete ${names}.`)
    return false
  }
  const answer = await ask(
    `Delete the journal and your configuration in ${names}? [y/N] `,
    'Nothing was deleted.',
  )
  return /^y(es)?$/i.test(answer)
}

async function undoTmux(places: Places, socket: string): Promise<void> {
  try {
    const server = await serverAt(socket)
    leave(places, server)
    await unapply(places, server)
    out(`${MARKS.done} tmux at ${plain(socket)} is as it was`)
  } catch (error) {
    // A server that has ended took everything with it.
    out(`${MARKS.left} tmux at ${plain(socket)}: ${plain(messageOf(error))}`)
  }
}

function foldersOf({ config, state, run }: Places): string[] {
  const folders = [...new Set([config, state, run])].filter((folder) => existsSync(folder))
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
}

function deleteData(places: Places): string[] {
  const said = foldersOf(places).map((folder) => {
    // The target of a link belongs to the person who made the link.
    const goal = lstatSync(folder).isSymbolicLink() ? realpathSync(folder) : undefined
    rmSync(folder, { recursive: true, force: true })
    const gone = `${plain(short(folder))} is gone`
    return goal === undefined
      ? `${MARKS.done} ${gone}`
      : `${MARKS.left} ${gone}, which was a link. Its data stays: rm -r ${plain(shellWord(goal))}`
  })
  const user = homeOf()
  const around = places.home === undefined ? BASES.map((path) => join(user, path)) : [places.home]
  for (const folder of around) removeEmpty(folder)
  return said
}

/** The folders of the XDG standard that gantry may have been the first to use, innermost first. */
const BASES = ['.local/state', '.local/share', '.local', '.config']

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // In use, or not there.
  }
}

/** A home that holds other things may have folders of these names that are not gantry's. */
function refuseSharedHome({ home }: Places): void {
  if (home === undefined || !existsSync(home)) return
  const names = readdirSync(home)
  const others = names.filter((name) => !['bin', 'config', 'run', 'state'].includes(name))
  if (others.length === 0 && names.length > 0 && !TRACES.some((path) => existsSync(join(home, path))))
    throw new GantryError(
      'BAD_CONFIG',
      `Nothing in ${home} tells that it is gantry's, so nothing is deleted. Look at it, and delete it yourself.`,
    )
  if (others.length === 0) return
  throw new GantryError(
    'BAD_CONFIG',
    `${home} holds more than gantry's files (${others.slice(0, 3).join(', ')}), so nothing is deleted. Delete config, state and run in it yourself.`,
  )
}

/** One of them is in every home that a gantry has used. */
const TRACES = ['state/gantry.db', 'state/install', 'state/token', 'config/gantry.toml']

function howToRemove(): string {
  if (npmCommand()) return 'npm uninstall -g gantry'
  const program = Bun.which('gantry')
  const dir = checkout()
  return program === null && dir ? `rm -r ${shellWord(dir)}` : `rm ${shellWord(program ?? process.execPath)}`
}
