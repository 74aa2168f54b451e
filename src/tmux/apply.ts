/**
 * Shows the state of agents in a tmux server, and removes all of it again. Both can be repeated at any time, also after
 * the server, the daemon or the receipt is gone.
 */
import type { Places } from '../core/files/paths.ts'
import { runCommand, runLines, type Server } from '../core/tmux.ts'
import { BADGE_OPTION } from './additions.ts'
import { bindKeys, focusHook, hasOurHook, hookLine, type Keys, ourKeys, unbindLines } from './bindings.ts'
import { clearPane, PANE_OPTIONS, SUMMARY_OPTION } from './paint.ts'
import { dropReceipt, type Receipt, readReceipt, writeReceipt } from './receipt.ts'
import { readSlots, type SlotNow, setLine, slotKey } from './slots.ts'

export interface Applied {
  readonly server: Server
  /** What was not done, and why. */
  readonly notes: readonly string[]
}

export async function apply(places: Places, server: Server, keys: Keys): Promise<Applied> {
  const past = readReceipt(places, server)
  const slots = await readSlots(server.socket)
  const options = slots.map((slot) => entryFor(slot, past))
  const hook = await focusHook(server.socket)
  const { lines, keys: bound, taken } = await bindKeys(server.socket, keys, places)
  const dropped = await unbindLines(
    server.socket,
    (past?.keys ?? []).filter((key) => !bound.includes(key)),
  )
  writeReceipt(places, { v: 1, ...server, state: 'applied', options, hook, keys: [...bound] })
  const sets = options.flatMap((one, i) => (slots[i]?.value === one.ours ? [] : [setLine(one, one.ours)]))
  const { err } = await runLines(server.socket, [...sets, hookLine(hook, places), ...dropped, ...lines])
  const notes = taken.map((key) => `prefix ${key} is bound to something else, which stays.`)
  return { server, notes: err === '' ? notes : [...notes, `tmux said: ${err}`] }
}

/** If the value is still ours, the receipt knows what it was before; otherwise the current value is the user's. */
function entryFor(slot: SlotNow, past: Receipt | undefined): Receipt['options'][number] {
  const { name, at, value, addition } = slot
  const known = past?.options.find((one) => slotKey(one) === slotKey(slot))
  if (known?.ours === value) return known
  const before = addition.without(value) ?? value
  return { name, at, before, ours: addition.with(value) }
}

/** Notes what was kept because somebody changed it. */
export async function unapply(places: Places, server: Server): Promise<Applied> {
  const past = readReceipt(places, server)
  const slots = await readSlots(server.socket)
  const notes: string[] = []
  const lines = slots.flatMap((slot) => {
    const known = past?.options.find((one) => slotKey(one) === slotKey(slot))
    const { restored, note } = restore(slot, known)
    if (note !== undefined) notes.push(note)
    return restored === undefined ? [] : [setLine(slot, restored)]
  })
  const hook = past?.hook ?? (await focusHook(server.socket))
  if (await hasOurHook(server.socket, hook)) lines.push(`set-hook -gu ${hook}`)
  lines.push(...(await unbindLines(server.socket, await ourKeys(server.socket))))
  // Styles last: only a change of style makes tmux read the colours of panes again.
  const { err } = await runLines(server.socket, [...(await cleared(server.socket)), ...lines])
  dropReceipt(places, server)
  return { server, notes: err === '' ? notes : [...notes, `tmux said: ${err}`] }
}

/** First step: the daemon stops colouring before anything is restored. */
export function leave(places: Places, server: Server): void {
  const past = readReceipt(places, server)
  if (past) writeReceipt(places, { ...past, state: 'leaving' })
}

function restore(
  { addition, value, name, at }: SlotNow,
  known: Receipt['options'][number] | undefined,
): { restored?: string; note?: string } {
  if (known?.ours === value) return value === known.before ? {} : { restored: known.before }
  const rest = addition.without(value)
  const where = at.startsWith('-g') || at === '-s' ? name : `${name} (${at.replace(/^.*-t /, '')})`
  if (rest !== undefined)
    return known
      ? { restored: rest, note: `${where} was changed meanwhile: only our part was removed.` }
      : { restored: rest }
  if (!known || value === known.before) return {}
  return { note: `${where} was changed meanwhile: it was left as it is.` }
}

/** Commands that unset all our options, on panes and globally. */
async function cleared(socket: string): Promise<string[]> {
  const { out } = await runCommand(socket, ['list-panes', '-a', '-F', '#{pane_id}'])
  return [
    ...out.split('\n').filter(Boolean).map(clearPane),
    ...[SUMMARY_OPTION, BADGE_OPTION, ...PANE_OPTIONS].map((name) => `set-option -gqu ${name}`),
  ]
}
