/**
 * A permission request that can be answered here. A yes applies exactly to what is fully shown on the screen; a no may
 * give a reason. Pure.
 */
import type { ApprovalView, SessionView } from '../../client/index.ts'
import { cut, wrap } from '../../core/text/columns.ts'
import { inputLine } from '../../core/text/input-line.ts'
import { bare, clean } from '../../core/text/text.ts'
import { selectedSession } from './cursor.ts'
import { type FleetState, type Mode, withNotice } from './fleet-state.ts'
import { typed } from './input.ts'
import { browse, type Key, type Outcome } from './keys.ts'
import { EMPTY, type Line, line, span } from './line.ts'
import { ageOf } from './session-format.ts'

type Approving = Extract<Mode, { kind: 'approve' }>
type Denying = Extract<Mode, { kind: 'deny' }>

const MAX_SHOWN = 600 // characters: what fits on the smallest screen, 60 by 15

/** The oldest request of the selected session. */
export function heldBy(state: FleetState): NonNullable<SessionView['approvals']>[number] | undefined {
  return selectedSession(state)?.approvals?.[0]
}

export function askApprove(state: FleetState, now: number): Outcome {
  const session = selectedSession(state)
  const held = heldBy(state)
  if (!session) return { state }
  if (held) return { state, action: { do: 'show-approval', key: session.key, id: held.id } }
  return { state: withNotice(state, notHeld(session), now) }
}

function notHeld(session: SessionView): string {
  const needs = session.attention.some(({ kind }) => kind !== 'idle' && kind !== 'error')
  return `${session.name} ${needs ? 'is asked in its own terminal: enter takes you there.' : 'asks for nothing.'}`
}

/** Shows the daemon's answer: the whole command, and the nonce that the answer must carry. */
export function withApproval(
  state: FleetState,
  key: string,
  approval: ApprovalView,
  now: number,
): FleetState {
  // If the person does something else by now, their next key must not count as a yes.
  if (state.mode.kind !== 'browse' || selectedSession(state)?.key !== key) return state
  const { id, nonce, tool, input } = approval
  const text = wholeText(input)
  if (text.length > MAX_SHOWN)
    return withNotice(state, `It is too long to show here. Read it with: gantry approvals ${id}`, now)
  return { ...state, mode: { kind: 'approve', key, id, nonce, tool: clean(tool), text } }
}

export function confirmApprove(state: FleetState, mode: Approving, key: Key): Outcome {
  if (key.kind !== 'text' || key.text !== 'y') return browse(state)
  return { ...browse(state), action: { do: 'approve', key: mode.key, id: mode.id, nonce: mode.nonce } }
}

export function askDeny(state: FleetState, now: number): Outcome {
  const session = selectedSession(state)
  const held = heldBy(state)
  if (!session) return { state }
  if (!held) return { state: withNotice(state, notHeld(session), now) }
  return { state: { ...state, mode: { kind: 'deny', key: session.key, id: held.id, text: '' } } }
}

export function composeDenial(state: FleetState, mode: Denying, key: Key): Outcome {
  if (key.kind === 'key' && key.name === 'escape') return browse(state)
  if (key.kind !== 'key' || key.name !== 'return')
    return { state: { ...state, mode: { ...mode, text: typed(mode.text, key) } } }
  return { ...browse(state), action: { do: 'deny', key: mode.key, id: mode.id, text: clean(mode.text) } }
}

/** The request, in place of the tree. */
export function approvalLines(mode: Approving, name: string, width: number, height: number): Line[] {
  const lines = [
    line(span(cut(` ${clean(name)} wants to use ${mode.tool}:`, width), 'need', true)),
    EMPTY,
    ...wrap(mode.text, width - 4, height).map((text) => line(span(`  ${text}`, 'strong'))),
  ]
  while (lines.length < height) lines.push(EMPTY)
  return lines.slice(0, height)
}

/** The line below a pending request: whether it can be answered here. */
export function heldLine({ approvals = [], attention, pane }: SessionView, now: number): Line[] {
  const asks = attention.some(({ kind }) => kind !== 'idle' && kind !== 'error')
  if (approvals.length === 0 && asks)
    return [
      line(
        span('   answer it in its own terminal', 'quiet'),
        ...(pane === undefined
          ? []
          : [span(':', 'quiet'), span(' enter', 'accent'), span(' goes there', 'quiet')]),
      ),
    ]
  return approvals
    .slice(0, 1)
    .map(({ id, until }) =>
      line(
        span('   a', 'accent'),
        span(' approve ', 'quiet'),
        span(' x', 'accent'),
        span(` deny  ${clean(id)}, ${ageOf(now, until)} left`, 'quiet'),
      ),
    )
}

/** The whole input, sanitized, so that no part can hide in an escape sequence. */
function wholeText(input: unknown): string {
  return clean(bare(inputLine(input, Number.POSITIVE_INFINITY)), 10 * MAX_SHOWN)
}
