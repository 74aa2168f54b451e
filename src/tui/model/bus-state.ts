/** The state of the stream's screen: the last messages, which of them are shown, and how keys change that. */
import type { BusStreamName, WireMessage } from '../../client/index.ts'
import { clean } from '../../core/text/text.ts'
import { messageWords } from '../../timeline/index.ts'
import { typed } from './input.ts'
import type { Key } from './keys.ts'
import { counted, NO_RATES, type Rates } from './rates.ts'

const MAX_MESSAGES = 2_000
const MAX_DATA = 16_384 // characters of a payload kept for the detail

export interface Shown {
  readonly seq: number
  readonly at: number
  readonly type: string
  readonly subject: string
  readonly agent: string
  readonly session: string
  readonly detail: string
  readonly data: string
}

export interface BusState {
  readonly stream: BusStreamName
  /** The filter sent to the daemon. */
  readonly filter: string | undefined
  readonly link: 'connecting' | 'live' | 'away'
  readonly messages: readonly Shown[]
  /** The messages at the time of the pause. */
  readonly held: readonly Shown[] | undefined
  readonly rates: Rates
  /** Sequence of the selected message; undefined follows the newest. */
  readonly selected: number | undefined
  readonly text: string
  readonly type: string | undefined
  readonly session: string | undefined
  readonly mode: 'browse' | 'search' | 'help'
  readonly detailOpen: boolean
  readonly detailTop: number
}

export function firstBusState(stream: BusStreamName, filter: string | undefined): BusState {
  return {
    stream,
    filter,
    link: 'connecting',
    messages: [],
    held: undefined,
    rates: NO_RATES,
    selected: undefined,
    text: '',
    type: undefined,
    session: undefined,
    mode: 'browse',
    detailOpen: false,
    detailTop: 0,
  }
}

export function withMessages(state: BusState, batch: readonly WireMessage[], now: number): BusState {
  const shown = batch.slice(-MAX_MESSAGES).map(shownOf)
  const messages = [...state.messages, ...shown].slice(-MAX_MESSAGES)
  return { ...state, messages, rates: counted(state.rates, batch, now) }
}

function shownOf(message: WireMessage): Shown {
  const { seq, at, type, subject, agent, session } = message
  const data = (message.data ?? '').slice(0, MAX_DATA)
  return {
    seq,
    at,
    type: clean(type, 80),
    subject: clean(subject, 120),
    agent: clean(agent, 20),
    session: clean(session, 80),
    detail: clean(messageWords(message), 400),
    data,
  }
}

/** The messages that pass the filters; while paused, of those at the time of the pause. */
export function passing(state: BusState): readonly Shown[] {
  const { type, session } = state
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean)
  const all = state.held ?? state.messages
  if (type === undefined && session === undefined && words.length === 0) return all
  return all.filter((one) => {
    if (type !== undefined && one.type !== type) return false
    if (session !== undefined && one.session !== session) return false
    const text =
      words.length === 0 ? '' : `${one.subject} ${one.agent} ${one.session} ${one.detail}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

export function cursorOf(state: BusState, list: readonly Shown[]): number {
  if (state.selected === undefined) return list.length - 1
  const at = list.findLastIndex(({ seq }) => seq <= (state.selected ?? 0))
  return Math.max(0, at)
}

/** `'quit'` when the person leaves. */
export function pressBus(state: BusState, key: Key, page: number): BusState | 'quit' {
  if (key.kind === 'key' && key.ctrl && key.name === 'c') return 'quit'
  if (state.mode === 'help') return { ...state, mode: 'browse' }
  if (state.mode === 'search') return search(state, key)
  if (key.kind === 'paste') return state
  const name = key.kind === 'text' ? key.text : key.ctrl ? `^${key.name}` : key.name
  switch (name) {
    case 'q':
      return 'quit'
    case 'j':
    case 'down':
      return moved(state, 1)
    case 'k':
    case 'up':
      return moved(state, -1)
    case '^d':
    case 'pagedown':
      return state.detailOpen ? { ...state, detailTop: state.detailTop + page } : moved(state, page)
    case '^u':
    case 'pageup':
      return state.detailOpen
        ? { ...state, detailTop: Math.max(0, state.detailTop - page) }
        : moved(state, -page)
    case 'g':
    case 'home':
      return moved(state, -Infinity)
    case 'G':
    case 'end':
      return { ...state, selected: undefined, detailTop: 0 }
    case 'p':
    case ' ':
    case 'space':
      return { ...state, held: state.held ? undefined : state.messages }
    case 'return':
    case 'enter':
    case 'd':
      return { ...state, detailOpen: !state.detailOpen, detailTop: 0 }
    case 'f':
      return { ...state, type: state.type === undefined ? under(state)?.type : undefined }
    case 'o':
      return { ...state, session: state.session === undefined ? under(state)?.session : undefined }
    case '/':
      return { ...state, mode: 'search' }
    case '?':
      return { ...state, mode: 'help' }
    case 'escape':
      return state.detailOpen
        ? { ...state, detailOpen: false }
        : { ...state, text: '', type: undefined, session: undefined }
    default:
      return state
  }
}

function search(state: BusState, key: Key): BusState {
  if (key.kind === 'key' && key.name === 'return') return { ...state, mode: 'browse' }
  if (key.kind === 'key' && key.name === 'escape') return { ...state, mode: 'browse', text: '' }
  return { ...state, text: typed(state.text, key) }
}

function under(state: BusState): Shown | undefined {
  const list = passing(state)
  return list[cursorOf(state, list)]
}

/** Moving down from the newest follows new messages again. */
function moved(state: BusState, by: number): BusState {
  const list = passing(state)
  const to = Math.max(0, cursorOf(state, list) + by)
  if (to >= list.length - 1 && by > 0) return { ...state, selected: undefined, detailTop: 0 }
  return { ...state, selected: list[Math.min(to, list.length - 1)]?.seq, detailTop: 0 }
}
