/** Sessions and turns: how they begin, and what is left when they are over. */
import type { HookEvent } from '../events/index.ts'
import { endOthers } from './children.ts'
import { active, ended, isAfterthought, isBeforeTurn, without } from './facts.ts'
import type { Attention, Session } from './session.ts'

export const GRACE_MS = 60_000 // a gap between tool calls can look like the end of a turn

export function startSession(session: Session, event: HookEvent): Session {
  const compacted = event.source === 'compact'
  const base = without(
    { ...session, attention: [], starting: true, seen: false },
    'error',
    'detail',
    'endedAt',
    'endReason',
  )
  if (compacted) return { ...base, starting: session.starting, compacting: session.compacting }
  return {
    ...base,
    generation: session.generation + (session.cause === undefined ? 0 : 1),
    generationAt: event.at,
    compacting: false,
    prompted: false,
    turn: { open: false },
    openTools: [],
    closedCalls: [],
    background: [],
    children: session.children.map((child) => ended(child, event.at)),
  }
}

export function openTurn(session: Session, event: HookEvent): Session {
  const { startedAt = 0, stoppedAt = 0 } = session.turn
  if (isAfterthought(event) && event.at < Math.max(startedAt, stoppedAt))
    return { ...session, prompted: true }
  const attention = isAfterthought(event) ? session.attention.filter((one) => one.since > event.at) : []
  const next = without(
    {
      ...active(session),
      prompted: true,
      attention,
      seen: false,
      compacting: false,
      background: stillRunning(session),
    },
    'error',
    'detail',
  )
  return { ...next, turn: { open: true, startedAt: event.at } }
}

/** It works, and no prompt was heard; what was asked before it stands as it was. */
export function observeTurn(session: Session, event: HookEvent): Session {
  if (session.turn.open || isBeforeTurn(session, event.at)) return session
  const attention = session.attention.filter(({ kind }) => kind !== 'idle')
  const next = without({ ...active(session), attention, seen: false }, 'detail')
  return { ...next, turn: { open: true, startedAt: event.at } }
}

export function closeTurn(session: Session, event: HookEvent): Session {
  if (session.turn.startedAt !== undefined && event.at < session.turn.startedAt) return session
  const tasks = event.backgroundTasks?.filter(
    ({ status }) => status === undefined || status === 'running' || status === 'pending',
  )
  const children =
    tasks === undefined ? session.children : endOthers(session, new Set(tasks.map(({ id }) => id)), event.at)
  const background = (tasks ?? []).slice(0, 64).map(({ id, type, description }) => ({
    id,
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description: description.slice(0, 200) }),
  }))
  const next = settled(session, event)
  return {
    ...next,
    turn: { ...next.turn, graceUntil: event.at + GRACE_MS },
    // Work in the background that is found to be over ends no turn: who looked since has seen it.
    seen: !session.turn.open && isAfterthought(event) && session.seen,
    children,
    background,
    ...(background.length > 0 ? { detail: `background: ${background.length}` } : {}),
    openTools: session.openTools.filter(
      (tool) => tool.agentId !== undefined && background.some(({ id }) => id === tool.agentId),
    ),
  }
}

export function failTurn(session: Session, event: HookEvent): Session {
  if (session.turn.open && isBeforeTurn(session, event.at)) return session
  const kind = event.error?.kind || 'unknown'
  const next = settled(session, event)
  const attention: Attention = { kind: 'error', reason: kind, since: event.at }
  return {
    ...next,
    attention: [attention],
    error: { kind, message: event.error?.message ?? event.message ?? kind },
  }
}

/** Without what is over. */
export function stillRunning({ background }: Session): Session['background'] {
  return background.some((one) => one.endedAt !== undefined)
    ? background.filter((one) => one.endedAt === undefined)
    : background
}

export function breakTurn(session: Session, event: HookEvent): Session {
  if (isBeforeTurn(session, event.at)) return session
  const children = session.children.map((child) => ended(child, event.at))
  return { ...settled(session, event), background: [], children }
}

/** The turn is over: nothing is open, nothing is asked, and nobody has looked since. */
export function settled(session: Session, event: HookEvent): Session {
  const { startedAt, stoppedAt = 0 } = session.turn
  return without(
    {
      ...active(session),
      compacting: false,
      openTools: [],
      attention: [],
      seen: session.seen && !session.turn.open,
      turn: {
        open: false,
        ...(startedAt === undefined ? {} : { startedAt }),
        stoppedAt: Math.max(stoppedAt, event.at),
      },
    },
    'detail',
  )
}

const MAX_REASON_CHARS = 64 // agents say one word

export function endSession(session: Session, event: HookEvent): Session {
  const next = settled(session, event)
  return {
    ...next,
    starting: false,
    background: [],
    children: session.children.map((child) => ended(child, event.at)),
    endedAt: session.endedAt ?? event.at,
    ...(event.reason === undefined ? {} : { endReason: event.reason.slice(0, MAX_REASON_CHARS) }),
  }
}
