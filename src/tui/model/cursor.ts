/** The row under the cursor: it moves only when the person moves it, however the list sorts itself. */
import type { SessionView } from '../../client/index.ts'
import type { FleetState } from './fleet-state.ts'
import { type Row, treeOf } from './tree.ts'

const lastRows = new WeakMap<ReadonlyMap<string, SessionView>, { of: FleetState; rows: Row[] }>()

/** Cached for the same sessions, filter, search and folds, because keys need it, too. */
export function rowsOf(state: FleetState): Row[] {
  const known = lastRows.get(state.sessions)
  if (
    known &&
    known.of.filter === state.filter &&
    known.of.search === state.search &&
    known.of.hosts === state.hosts &&
    known.of.collapsed === state.collapsed
  )
    return known.rows
  const rows = treeOf([...state.sessions.values(), ...state.hosts.sessions.values()], state)
  lastRows.set(state.sessions, { of: state, rows })
  return rows
}

/** The cursor's row; the first session if its row is gone. */
export function selectedIndex(state: FleetState, rows: readonly Row[]): number {
  const at = placeOf(state, rows)
  if (at >= 0) return at
  return Math.max(
    0,
    rows.findIndex(({ kind }) => kind === 'session'),
  )
}

/** Of a sub-agent that has ended, its session's row. */
function placeOf({ selected }: FleetState, rows: readonly Row[]): number {
  const at = rows.findIndex(({ id }) => id === selected)
  return at >= 0 ? at : rows.findIndex(({ kind, id }) => kind === 'session' && selected?.startsWith(`${id}/`))
}

/** A selected row that has gone passes the cursor to the nearest session. */
export function settled(was: FleetState, now: FleetState): FleetState {
  // Escape takes a search back, and what is folded can be unfolded.
  if (now.selected === undefined || now.mode.kind === 'search' || now.collapsed !== was.collapsed) return now
  const rows = rowsOf(now)
  if (placeOf(now, rows) >= 0) return now
  const left = new Set(rows.map(({ id }) => id))
  const before = rowsOf(was)
  const at = selectedIndex(was, before)
  const near = [...before.entries()]
    .filter(([, { kind, id }]) => kind === 'session' && left.has(id))
    .toSorted(([a], [b]) => Math.abs(a - at) - Math.abs(b - at) || b - a)[0]?.[1]
  return near ? { ...now, selected: near.id } : now
}

/** What was under the cursor on the screen, and what had been there before it moved by itself. */
export interface Seen {
  readonly id: string | undefined
  readonly before: string | undefined
  readonly at: number
}

const REACTION_MS = 300 // a key that comes sooner was meant for what had been there before

export function seenAfter(seen: Seen | undefined, id: string | undefined, at: number): Seen | undefined {
  return seen?.id === id ? seen : { id, before: seen?.id, at }
}

/** A key keeps the cursor where the person saw it, however the list sorts itself from now on. */
export function held(state: FleetState, seen: Seen | undefined, now: number): FleetState {
  if (state.selected !== undefined || seen === undefined) return state
  const isNew = now - seen.at < REACTION_MS
  const selected = [isNew ? seen.before : undefined, seen.id].find((id) => isShown(state, id))
  return selected === undefined ? state : { ...state, selected }
}

function isShown(state: FleetState, id: string | undefined): boolean {
  return id !== undefined && rowsOf(state).some((row) => row.id === id)
}

export function selectedRow(state: FleetState): Row | undefined {
  const rows = rowsOf(state)
  return rows[selectedIndex(state, rows)]
}

/** The selected session; for a sub-agent's row, the session it belongs to. */
export function selectedSession(state: FleetState): SessionView | undefined {
  const row = selectedRow(state)
  return row && (row.kind === 'session' || row.kind === 'child') ? row.session : undefined
}
