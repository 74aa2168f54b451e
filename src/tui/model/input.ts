/** Text input for a search or an agent. Text is sent only to an agent that waits for text. */
import { refusesAct } from '../../client/index.ts'
import { clean } from '../../core/text/text.ts'
import { selectedSession } from './cursor.ts'
import { type FleetState, type Mode, withNotice } from './fleet-state.ts'
import { browse, type Key, type Outcome } from './keys.ts'

const MAX_INPUT = 2_000 // characters; longer texts belong in the agent's own editor

export function write(state: FleetState, now: number): Outcome {
  const session = selectedSession(state)
  if (!session) return { state }
  const why = refusesAct(session, 'send')
  if (why !== undefined) return { state: withNotice(state, why, now) }
  return { state: { ...state, mode: { kind: 'send', key: session.key, text: '' } } }
}

export function compose(
  state: FleetState,
  mode: Extract<Mode, { kind: 'send' }>,
  key: Key,
  now: number,
): Outcome {
  if (key.kind === 'key' && key.name === 'escape') return browse(state)
  if (key.kind !== 'key' || key.name !== 'return')
    return { state: { ...state, mode: { ...mode, text: typed(mode.text, key) } } }
  const session = state.sessions.get(mode.key)
  const text = clean(mode.text)
  if (!session || text === '') return browse(state)
  // It may have continued while the text was typed.
  const why = refusesAct(session, 'send')
  if (why !== undefined) return { state: withNotice(state, `Not sent. ${why}`, now) }
  return { ...browse(state), action: { do: 'send', key: mode.key, text } }
}

export function search(state: FleetState, mode: Extract<Mode, { kind: 'search' }>, key: Key): Outcome {
  if (key.kind === 'key' && key.name === 'escape') return browse({ ...state, search: mode.before })
  if (key.kind === 'key' && (key.name === 'return' || key.name === 'down')) return browse(state)
  return { state: { ...state, search: typed(state.search, key) } }
}

/** Appends typed or pasted text to the input. */
export function typed(text: string, key: Key): string {
  if (key.kind !== 'key') return (text + key.text.replace(/\s+/g, ' ')).slice(0, MAX_INPUT)
  if (key.name === 'backspace') return [...text].slice(0, -1).join('')
  if (key.ctrl && key.name === 'u') return ''
  if (key.ctrl && key.name === 'w') return text.replace(/\S*\s*$/, '')
  return key.name === 'space' ? `${text} ` : text
}
