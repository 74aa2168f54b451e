/** Keys and the focus hook. A key that is already bound keeps its meaning, so nothing has to be restored later. */
import type { Places } from '../core/files/paths.ts'
import { selfPath } from '../core/processes/self.ts'
import { quoted } from '../core/text/text.ts'
import { runCommand } from '../core/tmux.ts'
import { STATUS_OPTION } from './paint.ts'

export interface Keys {
  /** Jumps to the next session that needs you; empty for none. */
  readonly next: string
  /** Opens the dashboard in a popup; empty for none. */
  readonly fleet: string
}

export const DEFAULT_KEYS: Keys = { next: 'g', fleet: 'G' }

/** Identifies our bindings. */
const NEXT_MARK = ' tmux next --client '
const FLEET_MARK = 'GANTRY_POPUP=1 '
const SEEN_MARK = ' tmux seen '

/** Hooks are arrays; our index is far above those that people use by hand. */
const HOOK_INDEX = 4520
const HOOK = 'pane-focus-in'

interface Bound {
  readonly lines: readonly string[]
  readonly keys: readonly string[]
  /** Keys that are bound to something else. */
  readonly taken: readonly string[]
}

export async function bindKeys(socket: string, keys: Keys, places: Places): Promise<Bound> {
  const wanted = [
    { key: keys.next, command: `run-shell -b ${quoted(nextCommand(places))}` },
    { key: keys.fleet, command: `display-popup -E -w 90% -h 85% ${quoted(fleetCommand(places))}` },
  ].filter(({ key }) => key !== '')
  const lines: string[] = []
  const bound: string[] = []
  const taken: string[] = []
  for (const { key, command } of wanted) {
    const now = await bindingOf(socket, key)
    if (now !== undefined && !isOurs(now)) {
      taken.push(key)
      continue
    }
    lines.push(`bind-key -T prefix ${quoted(key)} ${command}`)
    bound.push(key)
  }
  return { lines, keys: bound, taken }
}

/** Only bindings that are still ours. */
export async function unbindLines(socket: string, keys: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  for (const key of keys)
    if (isOurs((await bindingOf(socket, key)) ?? '')) lines.push(`unbind-key -T prefix ${quoted(key)}`)
  return lines
}

/** Works without a receipt, too: every key of the prefix table that runs gantry. */
export async function ourKeys(socket: string): Promise<string[]> {
  const { out } = await runCommand(socket, ['list-keys', '-T', 'prefix'])
  return out.split('\n').flatMap((line) => {
    const key = isOurs(line) ? /^bind-key\s+(?:-r\s+)?-T prefix\s+(\S+)/.exec(line)?.[1] : undefined
    return key === undefined ? [] : [key.replace(/^\\/, '')]
  })
}

function isOurs(line: string): boolean {
  return line.includes(NEXT_MARK) || line.includes(FLEET_MARK)
}

async function bindingOf(socket: string, key: string): Promise<string | undefined> {
  const { ok, out } = await runCommand(socket, ['list-keys', '-T', 'prefix', key])
  return ok && out.trim() !== '' ? out : undefined
}

/** Our index in the hook array, or a free one. */
export async function focusHook(socket: string): Promise<string> {
  const { out } = await runCommand(socket, ['show-options', '-gw', HOOK])
  const used = out.split('\n').map((line) => /^pane-focus-in\[(\d+)\] (.*)$/.exec(line))
  const ours = used.find((match) => match?.[2]?.includes(SEEN_MARK))?.[1]
  if (ours !== undefined) return `${HOOK}[${ours}]`
  const taken = new Set(used.map((match) => Number(match?.[1] ?? -1)))
  let index = HOOK_INDEX
  while (taken.has(index)) index += 1
  return `${HOOK}[${index}]`
}

export async function hasOurHook(socket: string, hook: string): Promise<boolean> {
  const { out } = await runCommand(socket, ['show-options', '-gwv', hook])
  return out.includes(SEEN_MARK)
}

/** Focus only changes the status `done` (not looked at yet), so only then is a process started. */
export function hookLine(hook: string, places: Places): string {
  const seen = `run-shell -b ${quoted(seenCommand(places))}`
  const command = `if-shell -F ${quoted(`#{==:#{${STATUS_OPTION}},done}`)} ${quoted(seen)}`
  return `set-hook -g ${quoted(hook)} ${quoted(command)}`
}

function nextCommand(places: Places): string {
  return `${gantry()}${NEXT_MARK}#{q:client_name}${homeOf(places)}`
}

function seenCommand(places: Places): string {
  const server = '--socket #{q:socket_path} --server #{pid}'
  return `${gantry()}${SEEN_MARK}#{q:pane_id} ${server}${homeOf(places)} >/dev/null 2>&1`
}

function fleetCommand(places: Places): string {
  const home = places.home === undefined ? '' : `GANTRY_HOME=${shellWord(places.home)} `
  return `${FLEET_MARK}${home}exec ${gantry()}`
}

/** The line for ~/.tmux.conf that applies this to every new server. */
export function confLine(places: Places, keys: Keys): string {
  const flags = (['next', 'fleet'] as const)
    .filter((name) => keys[name] !== DEFAULT_KEYS[name])
    .map((name) => ` --${name}-key ${shellWord(keys[name])}`)
  const command = `${gantry()} tmux apply --quiet --socket #{q:socket_path}${flags.join('')}${homeOf(places)}`
  return `run-shell -b ${quoted(command)}`
}

function homeOf({ home }: Places): string {
  return home === undefined ? '' : ` --home ${shellWord(home)}`
}

/** The running gantry: the tmux server may have another PATH. */
function gantry(): string {
  return shellWord(selfPath())
}

/** Quotes for a shell behind run-shell or a popup, where `#` starts a format. */
function shellWord(text: string): string {
  return quoted(text).replaceAll('#', '##')
}
