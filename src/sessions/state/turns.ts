/** Sessions and turns: how they begin, and what is left when they are over. */
import type { HookEvent } from '../../events/index.ts'
import { active, ended, isAfterthought, isBeforeTurn, without } from './activity.ts'
import { busyChildren, endInCalls, endOthers, isRunning } from './children.ts'
import type { Attention, Child, Session } from './session.ts'

export const GRACE_MS = 60_000 // a gap between tool calls can look like the end of a turn

export function startSession(session: Session, event: HookEvent): Session {
  const compacted = event.source === 'compact'
  const attention = compacted ? ofSubAgents(session, session.attention) : []
  const base = without(
    { ...session, attention, starting: true, seen: false },
    'error',
    'detail',
    'endedAt',
    'endReason',
  )
  if (compacted) return { ...base, starting: session.starting, compacting: session.compacting }
  return {
    ...base,
    // One that was seen to open and did nothing since is told of now.
    generation: session.generation + (session.cause === undefined || session.starting ? 0 : 1),
    generationAt: event.at,
    compacting: false,
    prompted: false,
    // opencode 1.18.33 takes up to a second from here to the hook of the prompt.
    ...(event.prompted
      ? { starting: false, turn: { open: true, startedAt: event.at } }
      : { turn: { open: false } }),
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
  const asked = ofSubAgents(session, session.attention)
  const isKept = (one: Attention) => asked.includes(one) || one.since > event.at
  const next = without(
    {
      ...active(session),
      prompted: true,
      attention: isAfterthought(event) ? session.attention.filter(isKept) : asked,
      seen: false,
      compacting: false,
      background: stillRunning(session),
    },
    'error',
    'detail',
  )
  return { ...next, turn: { open: true, startedAt: event.at } }
}

/**
 * Its prompt was refused: no turn comes of it, and what goes on in the background goes on. Nothing was done that somebody
 * would have to look at, and whoever asked was told.
 */
export function denyTurn(session: Session, event: HookEvent): Session {
  const { open, startedAt = 0 } = session.turn
  if (!open || event.at < startedAt) return session
  const turn = { open: false, startedAt, stoppedAt: event.at }
  const next = withoutTurn({ ...session, turn, seen: true })
  return next.detail === undefined ? { ...next, detail: event.reason ?? 'refused' } : next
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
  const failure = failureBefore(session, event)
  const next = settled(leftBy(session, event), event)
  return {
    ...next,
    ...(failure
      ? { attention: [...next.attention, failure] }
      : { turn: { ...next.turn, graceUntil: event.at + GRACE_MS } }),
    // Work in the background that is found to be over ends no turn: who looked since has seen it.
    seen: !session.turn.open && isAfterthought(event) && session.seen,
  }
}

export function failTurn(session: Session, event: HookEvent): Session {
  if (event.at < (session.turn.startedAt ?? 0)) return session
  const kind = event.error?.kind || 'unknown'
  const next = settled({ ...session, background: runningOn(session) }, event)
  const attention: Attention = { kind: 'error', reason: kind, since: event.at }
  return {
    ...next,
    attention: [...next.attention, attention],
    error: { kind, message: event.error?.message ?? event.message ?? kind },
  }
}

const FAILED_STOP_MS = 5_000 // Gemini CLI 0.61.0 stops 23 ms after its error, opencode in the same moment

/** A turn that failed ends all the same: its Stop says nothing against what its StopFailure said. */
function failureBefore({ turn, attention }: Session, event: HookEvent): Attention | undefined {
  if (turn.open || event.at - (turn.stoppedAt ?? 0) > FAILED_STOP_MS) return undefined
  return attention.find(({ kind }) => kind === 'error')
}

/** Claude 2.1.325 goes on with what it has in the background: shells, sub-agents, teammates. */
export function breakTurn(session: Session, event: HookEvent): Session {
  if (isBeforeTurn(session, event.at)) return session
  const background = runningOn(session)
  const goesOn = ({ agentId, teammate }: Child) =>
    teammate === true || background.some(({ id }) => id === agentId)
  const children = endOthers(session, goesOn, event.at)
  return settled({ ...session, background, children }, event)
}

/** What goes on after a turn, by the list that came with its end; where there is none, by what is known. */
function leftBy(session: Session, { backgroundTasks, at }: HookEvent): Session {
  if (backgroundTasks === undefined) return { ...session, background: runningOn(session) }
  const tasks = backgroundTasks.filter(
    ({ status }) => status === undefined || status === 'running' || status === 'pending',
  )
  // Claude 2.1.325 lists a teammate under an id that nothing else has, and also while it rests.
  const hasTeam = tasks.some(({ type }) => type === TEAMMATE)
  const background = tasks
    .filter(({ type }) => type !== TEAMMATE)
    .slice(0, MAX_BACKGROUND)
    .map(({ id, type, description }) => ({
      id,
      ...(type === undefined ? {} : { type }),
      ...(description === undefined ? {} : { description: description.slice(0, 200) }),
    }))
  const goesOn = ({ agentId, teammate }: Child) =>
    teammate ? hasTeam : background.some(({ id }) => id === agentId)
  return { ...session, background, children: endOthers(session, goesOn, at) }
}

const TEAMMATE = 'teammate'
const MAX_BACKGROUND = 64

/** What the end of the last turn named and is not over, and the sub-agents that were sent off since. */
export function runningOn(session: Session): Session['background'] {
  const named = stillRunning(session)
  const isNew = ({ agentId, background, teammate, endedAt }: Child) =>
    background && !teammate && endedAt === undefined && !named.some(({ id }) => id === agentId)
  const sent = session.children.filter(isNew)
  return sent.length === 0
    ? named
    : [...named, ...sent.map(({ agentId }) => ({ id: agentId, type: 'subagent' }))]
}

/** Without what is over. */
function stillRunning({ background }: Session): Session['background'] {
  return background.some((one) => one.endedAt !== undefined)
    ? background.filter((one) => one.endedAt === undefined)
    : background
}

/** How much goes on without the main thread. */
export function withoutTurn(session: Session): Session {
  const running = session.background.filter((one) => one.endedAt === undefined).length
  const count = running + busyChildren(session).filter((one) => one.teammate).length
  return count > 0 ? { ...session, detail: `background: ${count}` } : without(session, 'detail')
}

/** The turn is over: nothing of the main thread is open, it asks nothing, and nobody has looked since. */
export function settled(session: Session, event: HookEvent): Session {
  const { startedAt, stoppedAt = 0 } = session.turn
  return withoutTurn({
    ...active(session),
    compacting: false,
    openTools: ofSubAgents(session, session.openTools),
    children: endInCalls(session.children, [], event.at),
    attention: ofSubAgents(session, session.attention),
    seen: session.seen && !session.turn.open,
    turn: {
      open: false,
      ...(startedAt === undefined ? {} : { startedAt }),
      stoppedAt: Math.max(stoppedAt, event.at),
    },
  })
}

/** What sub-agents do and ask, they do and ask whatever becomes of the turn. */
function ofSubAgents<T extends { readonly agentId?: string }>(
  session: Session,
  all: readonly T[],
): readonly T[] {
  return all.filter(({ agentId }) => agentId !== undefined && isRunning(session, agentId))
}

const MAX_REASON_CHARS = 64 // agents say one word

export function endSession(session: Session, event: HookEvent): Session {
  const children = session.children.map((child) => ended(child, event.at))
  return {
    ...settled({ ...session, background: [], children, openTools: [], attention: [] }, event),
    starting: false,
    endedAt: session.endedAt ?? event.at,
    ...(event.reason === undefined ? {} : { endReason: event.reason.slice(0, MAX_REASON_CHARS) }),
  }
}
