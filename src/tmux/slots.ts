/**
 * All places where an option has a value: the server, the global default, and single sessions, windows and panes. One
 * tmux process reads them all.
 */
import { GantryError } from '../core/errors.ts'
import { randomText } from '../core/random.ts'
import { quoted } from '../core/text/text.ts'
import { runCommand, runLines } from '../core/tmux.ts'
import { ADDITIONS, type Addition } from './additions.ts'

interface Slot {
  readonly name: string
  /** Flags of `set-option`: `-g`, `-gw`, `-s`, `-t $1`, `-w -t @1`, `-p -t %1`. */
  readonly at: string
}

export interface SlotNow extends Slot {
  readonly addition: Addition
  readonly value: string
}

/** A map key for a slot. */
export function slotKey({ name, at }: Slot): string {
  return `${at} ${name}`
}

export function setLine({ name, at }: Slot, value: string): string {
  return `set-option ${target(at)} ${name} ${quoted(value)}`
}

/** Every slot that has a value. */
export async function readSlots(socket: string): Promise<SlotNow[]> {
  const ids = await idsOf(socket)
  const slots = ADDITIONS.flatMap((addition) =>
    placesFor(addition, ids).map((at) => ({ addition, name: addition.name, at })),
  )
  const values = await readValues(socket, slots)
  return slots.flatMap((slot, i) => {
    const value = values[i]
    return value === undefined ? [] : [{ ...slot, value }]
  })
}

/** Undefined if it is not set. */
async function readValues(socket: string, slots: readonly Slot[]): Promise<(string | undefined)[]> {
  const mark = `gantry-${randomText(12, 'hex')}` // random, so no value contains it
  const lines = slots.flatMap(({ name, at }) => [
    `show-options -qv ${target(at)} ${name}`,
    `display-message -p ${quoted(mark)}`,
  ])
  const { out, err } = await runLines(socket, lines)
  const parts = out.split(`${mark}\n`)
  if (parts.length !== slots.length + 1)
    throw new GantryError('VALIDATION_ERROR', `tmux did not report its options: ${err || 'no answer'}`)
  // A value ends with a newline; an unset option prints nothing.
  return slots.map((_, i) => (parts[i] === '' ? undefined : parts[i]?.slice(0, -1)))
}

interface Ids {
  readonly session: readonly string[]
  readonly window: readonly string[]
  readonly pane: readonly string[]
}

async function idsOf(socket: string): Promise<Ids> {
  const { out } = await runCommand(socket, [
    'list-panes',
    '-a',
    '-F',
    '#{session_id} #{window_id} #{pane_id}',
  ])
  const rows = out.split('\n').filter(Boolean)
  const column = (i: number) => [...new Set(rows.map((row) => row.split(' ')[i] ?? ''))]
  return { session: column(0), window: column(1), pane: column(2) }
}

function placesFor({ level }: Addition, ids: Ids): string[] {
  const windows = ids.window.map((id) => `-w -t ${id}`)
  switch (level) {
    case 'server':
      return ['-s']
    case 'session':
      return ['-g', ...ids.session.map((id) => `-t ${id}`)]
    case 'window':
      return ['-gw', ...windows]
    case 'pane':
      return ['-gw', ...windows, ...ids.pane.map((id) => `-p -t ${id}`)]
  }
}

/** Quotes a session's `$1`, which would be a variable. */
function target(at: string): string {
  return at.replace(/\$\d+$/, (id) => quoted(id))
}
