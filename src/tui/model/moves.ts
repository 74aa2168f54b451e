/** Cursor movement and folding: keys without an effect outside the screen. */
import { rowsOf, selectedIndex, selectedRow } from './cursor.ts'
import { type FleetState, withNotice } from './fleet-state.ts'
import type { Row } from './tree.ts'

export function move(state: FleetState, by: number): FleetState {
  const rows = rowsOf(state)
  const to = Math.min(rows.length - 1, Math.max(0, selectedIndex(state, rows) + by))
  const row = rows[to]
  return row ? { ...state, selected: row.id } : state
}

function withFold(state: FleetState, id: string, folded: boolean): FleetState {
  const collapsed = new Set(state.collapsed)
  if (folded) collapsed.add(id)
  else collapsed.delete(id)
  return { ...state, collapsed }
}

function isOpen(row: Row): boolean {
  if (row.kind === 'session') return row.under > 0 && row.open
  return row.kind !== 'child' && row.group.open
}

function isFolded(row: Row): boolean {
  if (row.kind === 'session') return row.under > 0 && !row.open
  return row.kind !== 'child' && !row.group.open
}

/** Folds an open row, else moves to its parent. */
export function fold(state: FleetState): FleetState {
  const rows = rowsOf(state)
  const at = selectedIndex(state, rows)
  const row = rows[at]
  if (!row) return state
  if (isOpen(row)) return withFold({ ...state, selected: row.id }, row.id, true)
  const above = rows.slice(0, at).findLast(({ depth }) => depth < row.depth)
  return above ? { ...state, selected: above.id } : state
}

export function unfold(state: FleetState): FleetState {
  const row = selectedRow(state)
  if (!row) return state
  return isFolded(row) ? withFold({ ...state, selected: row.id }, row.id, false) : move(state, 1)
}

export function toggle(state: FleetState): FleetState {
  const row = selectedRow(state)
  if (!row) return state
  if (isOpen(row) || isFolded(row)) return withFold({ ...state, selected: row.id }, row.id, isOpen(row))
  return { ...state, detailOpen: !state.detailOpen }
}

/** All projects at once: folds them if any is open. */
export function foldAll(state: FleetState): FleetState {
  const projects = rowsOf(state).filter(({ kind, depth }) => kind === 'group' && depth === 0)
  const anyOpen = projects.some(isOpen)
  const ids = projects.map(({ id }) => id)
  return { ...state, collapsed: new Set(anyOpen ? [...state.collapsed, ...ids] : []) }
}

/** The next session that needs a person, even if a filter or a fold hides it. */
export function nextNeed(state: FleetState, now: number): FleetState {
  const open: FleetState = { ...state, collapsed: new Set() }
  const visible = rowsOf(open).some(isNeedy) ? open : { ...open, filter: 'live' as const, search: '' }
  const rows = rowsOf(visible)
  const at = selectedIndex(visible, rows)
  const next = [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(isNeedy)
  if (!next) return withNotice(state, 'Nobody needs you.', now, 'done')
  return { ...unhide(state, visible, next), selected: next.id }
}

function isNeedy(row: Row): boolean {
  return row.kind === 'session' && row.session.needsYou
}

/** Opens only the folds above the row. */
function unhide(state: FleetState, visible: FleetState, row: Row): FleetState {
  const rows = rowsOf(visible)
  const collapsed = new Set(state.collapsed)
  let depth = row.depth
  for (let at = rows.indexOf(row) - 1; at >= 0 && depth > 0; at--) {
    const above = rows[at]
    if (!above || above.depth >= depth) continue
    depth = above.depth
    collapsed.delete(above.id)
  }
  return { ...visible, collapsed }
}
