/**
 * What a key does in the dashboard: a new state, and for some keys an action outside of it. Pure, so that every key can
 * be tested without a terminal.
 */
import { refusesAct } from '../../client/index.ts'
import { askApprove, askDeny, composeDenial, confirmApprove } from './approval.ts'
import { rowsOf, selectedRow, selectedSession, settled } from './cursor.ts'
import { type FleetState, type Mode, withNotice } from './fleet-state.ts'
import { compose, search, write } from './input.ts'
import { fold, foldAll, move, nextNeed, toggle, unfold } from './moves.ts'
import { FILTERS, type Filter } from './tree.ts'

export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'key'; readonly name: string; readonly ctrl?: boolean }

export type Action =
  | { readonly do: 'quit' }
  | { readonly do: 'start-daemon' }
  | { readonly do: 'jump'; readonly key: string }
  | { readonly do: 'interrupt'; readonly key: string }
  | { readonly do: 'raise-budget'; readonly key: string }
  | { readonly do: 'kill'; readonly key: string }
  | { readonly do: 'send'; readonly key: string; readonly text: string }
  | { readonly do: 'show-approval'; readonly key: string; readonly id: string }
  | { readonly do: 'approve'; readonly key: string; readonly id: string; readonly nonce: string }
  | { readonly do: 'deny'; readonly key: string; readonly id: string; readonly text: string }

export interface Outcome {
  readonly state: FleetState
  readonly action?: Action
}

export function press(state: FleetState, key: Key, page: number, now: number): Outcome {
  const outcome = pressed(state, key, page, now)
  return { ...outcome, state: settled(state, outcome.state) }
}

function pressed(state: FleetState, key: Key, page: number, now: number): Outcome {
  if (key.kind === 'key' && key.ctrl && key.name === 'c') return { state, action: { do: 'quit' } }
  switch (state.mode.kind) {
    case 'help':
      return { state: { ...state, mode: helpAfter(state.mode.page ?? 0, key) } }
    case 'confirm-kill':
      return confirm(state, state.mode, key)
    case 'search':
      return search(state, state.mode, key)
    case 'send':
      return compose(state, state.mode, key, now)
    case 'approve':
      return confirmApprove(state, state.mode, key)
    case 'deny':
      return composeDenial(state, state.mode, key)
    case 'browse':
      return command(state, key, page, now)
  }
}

/** On a small screen the help has pages, which wrap around; any other key closes it. */
function helpAfter(page: number, key: Key): Mode {
  const name = key.kind === 'text' ? key.text : key.kind === 'key' ? key.name : ''
  if ([' ', 'space', 'j', 'down', 'pagedown'].includes(name)) return { kind: 'help', page: page + 1 }
  if (['k', 'up', 'pageup'].includes(name)) return { kind: 'help', page: page - 1 }
  return { kind: 'browse' }
}

function command(state: FleetState, key: Key, page: number, now: number): Outcome {
  if (key.kind === 'paste') return { state }
  const name = key.kind === 'text' ? key.text : key.ctrl ? `^${key.name}` : key.name
  switch (name) {
    case 'q':
      return { state, action: { do: 'quit' } }
    case 'j':
    case 'down':
      return { state: move(state, 1) }
    case 'k':
    case 'up':
      return { state: move(state, -1) }
    case '^d':
    case 'pagedown':
      return { state: move(state, page) }
    case '^u':
    case 'pageup':
      return { state: move(state, -page) }
    case 'g':
    case 'home':
      return { state: move(state, -Infinity) }
    case 'G':
    case 'end':
      return { state: move(state, Infinity) }
    case 'h':
    case 'left':
      return { state: fold(state) }
    case 'l':
    case 'right':
      return { state: unfold(state) }
    case ' ':
    case 'space':
      return { state: toggle(state) }
    case 'z':
      return { state: foldAll(state) }
    case 'n':
      return { state: nextNeed(state, now) }
    case 'f':
      return { state: { ...state, filter: nextFilter(state) } }
    case '/':
      return { state: { ...state, mode: { kind: 'search', before: state.search } } }
    case 'escape':
      if (state.detailOpen) return { state: { ...state, detailOpen: false } }
      return { state: { ...state, search: '', filter: 'live' } }
    case 'tab':
      return { state: { ...state, tab: state.tab === 'timeline' ? 'screen' : 'timeline' } }
    case 'a':
      return askApprove(state, now)
    case 'd':
      return { state: { ...state, detailOpen: !state.detailOpen } }
    case 'x':
      return askDeny(state, now)
    case '?':
      return { state: { ...state, mode: { kind: 'help' } } }
    case 'u':
      return state.link.state === 'away' && !state.link.starting
        ? { state, action: { do: 'start-daemon' } }
        : { state }
    case 'return':
    case 'enter':
      return enter(state)
    case 'i':
      return interrupt(state, now)
    case 'b': {
      const session = selectedSession(state)
      return session ? { state, action: { do: 'raise-budget', key: session.key } } : { state }
    }
    case 's':
      return write(state, now)
    case 'K':
      return askKill(state, now)
    default:
      return { state }
  }
}

/** Where all have ended, every filter but the last would be empty. */
function nextFilter(state: FleetState): Filter {
  const isOver = state.filter === 'live' && state.search === '' && rowsOf(state).length === 0
  return isOver ? 'all' : (FILTERS[(FILTERS.indexOf(state.filter) + 1) % FILTERS.length] ?? 'live')
}

export const browse = (state: FleetState): Outcome => ({ state: { ...state, mode: { kind: 'browse' } } })

function enter(state: FleetState): Outcome {
  const row = selectedRow(state)
  if (!row) return { state }
  if (row.kind === 'group') return { state: toggle(state) }
  return { state, action: { do: 'jump', key: row.session.key } }
}

function interrupt(state: FleetState, now: number): Outcome {
  const session = selectedSession(state)
  if (!session) return { state }
  const why = refusesAct(session, 'interrupt')
  if (why !== undefined) return { state: withNotice(state, why, now) }
  return { state, action: { do: 'interrupt', key: session.key } }
}

function askKill(state: FleetState, now: number): Outcome {
  const session = selectedSession(state)
  if (!session) return { state }
  const why = refusesAct(session, 'end')
  if (why !== undefined) return { state: withNotice(state, why, now) }
  return { state: { ...state, mode: { kind: 'confirm-kill', key: session.key } } }
}

function confirm(state: FleetState, mode: Extract<Mode, { kind: 'confirm-kill' }>, key: Key): Outcome {
  const yes = key.kind === 'text' && key.text === 'y'
  return yes ? { ...browse(state), action: { do: 'kill', key: mode.key } } : browse(state)
}

const DOUBLE_CLICK_MS = 400

/** A click selects the row; a second one in time opens it or jumps there. */
export function click(state: FleetState, index: number, now: number): Outcome {
  if (state.mode.kind !== 'browse') return { state }
  const row = rowsOf(state)[index]
  if (!row) return { state }
  const again = state.lastClick?.id === row.id && now - state.lastClick.at < DOUBLE_CLICK_MS
  const selected = { ...state, selected: row.id, lastClick: again ? undefined : { id: row.id, at: now } }
  return again ? enter(selected) : { state: selected }
}
