/** Start and end of sessions and turns. */
import { clean } from '../../core/text/text.ts'
import type { HookEvent } from '../../events/index.ts'
import { active, ended, isAfterthought, isBeforeTurn, without } from './activity.ts'
import { busyChildren, endInCalls, endOthers, isRunning } from './children.ts'
import { withDenial } from './denial.ts'
import type { Attention, Child, Session } from './session.ts'

export const GRACE_MS = 60_000 // a gap between tool calls can look like the end of a turn

export function startSession(session: Session, event: HookEvent): Session {
  const compacted = event.source === 'compact'
  const attention = compacted ? ofSubAgents(session, session.attention) : []
  const base = without(
    { ...session, attention, starting: true, seen: false },
    'error',
    'denied',
    'detail',
    'endedAt',
    'endReason',
  )
  if (compacted) return { ...base, starting: session.starting, compacting: session.compacting }
  return {
    ...base,
    // A session that was observed to open and did nothing since is reported now.
    generation: session.generation + (session.cause === undefined || session.starting ? 0 : 1),
    generationAt: event.at,
    compacting: false,
    prompted: false,
    // opencode 1.18.33 takes up to a second from here to the prompt's hook.
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
    'denied',
    'detail',
  )
  return { ...next, turn: { open: true, startedAt: event.at } }
}

/**
 * The prompt was refused: no turn follows, and background work continues. There is nothing to look at, and the person was
 * told.
 */
export function denyTurn(session: Session, event: HookEvent): Session {
  const { open, startedAt = 0 } = session.turn
  if (!open || event.at < startedAt) return session
  const turn = { open: false, startedAt, stoppedAt: event.at }
  const next = withDenial(withoutTurn({ ...session, turn, seen: true }), event)
  return next.detail === undefined ? { ...next, detail: event.reason ?? 'refused' } : next
}

/** Its end was blocked: it goes on. What it did so far is counted, so that it begins again with its end. */
export function keepTurn(session: Session, event: HookEvent): Session {
  const { open, stoppedAt } = session.turn
  if (open || stoppedAt !== event.at) return session
  const detail = clean(event.reason?.split(': ')[0] ?? '', MAX_DETAIL_CHARS)
  return { ...session, seen: false, detail, turn: { open: true, startedAt: stoppedAt } }
}

const MAX_DETAIL_CHARS = 80

/** It works without a received prompt; earlier requests stay. */
export function observeTurn(session: Session, event: HookEvent): Session {
  if (session.turn.open || isBeforeTurn(session, event.at)) return session
  const attention = session.attention.filter(({ kind }) => kind !== 'idle')
  const next = without({ ...active(session), attention, seen: false }, 'detail', 'denied')
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
    // Background work that turns out to be over ends no turn: who has looked since has seen it.
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

const FAILED_STOP_MS = 5_000 // Gemini CLI 0.61.0 stops 23 ms after its error, opencode at the same time

/** A failed turn ends, too: its Stop does not contradict its StopFailure. */
function failureBefore({ turn, attention }: Session, event: HookEvent): Attention | undefined {
  if (turn.open || event.at - (turn.stoppedAt ?? 0) > FAILED_STOP_MS) return undefined
  return attention.find(({ kind }) => kind === 'error')
}

/** Claude 2.1.325 continues its background work: shells, sub-agents, teammates. */
export function breakTurn(session: Session, event: HookEvent): Session {
  if (isBeforeTurn(session, event.at)) return session
  const background = runningOn(session)
  const goesOn = ({ agentId, teammate }: Child) =>
    teammate === true || background.some(({ id }) => id === agentId)
  const children = endOthers(session, goesOn, event.at)
  return settled({ ...session, background, children }, event)
}

/** What continues after a turn: by the list in its end; without a list, by what is known. */
function leftBy(session: Session, { backgroundTasks, at }: HookEvent): Session {
  if (backgroundTasks === undefined) return { ...session, background: runningOn(session) }
  const tasks = backgroundTasks.filter(
    ({ status }) => status === undefined || status === 'running' || status === 'pending',
  )
  // Claude 2.1.325 lists a teammate under an id that nothing else uses, and also while it rests.
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

/** Work that the last turn listed and that has not ended, and sub-agents started in the background since. */
export function runningOn(session: Session): Session['background'] {
  const named = stillRunning(session)
  const isNew = ({ agentId, background, teammate, endedAt }: Child) =>
    background && !teammate && endedAt === undefined && !named.some(({ id }) => id === agentId)
  const sent = session.children.filter(isNew)
  return sent.length === 0
    ? named
    : [...named, ...sent.map(({ agentId }) => ({ id: agentId, type: 'subagent' }))]
}

/** Without ended work. */
function stillRunning({ background }: Session): Session['background'] {
  return background.some((one) => one.endedAt !== undefined)
    ? background.filter((one) => one.endedAt === undefined)
    : background
}

/** Shows how much runs without the main thread. */
export function withoutTurn(session: Session): Session {
  const running = session.background.filter((one) => one.endedAt === undefined).length
  const count = running + busyChildren(session).filter((one) => one.teammate).length
  return count > 0 ? { ...session, detail: `background: ${count}` } : without(session, 'detail')
}

/** The turn is over: nothing of the main thread is open or asked, and nobody has looked since. */
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

/** Sub-agents' calls and requests continue, whatever happens to the turn. */
function ofSubAgents<T extends { readonly agentId?: string }>(
  session: Session,
  all: readonly T[],
): readonly T[] {
  return all.filter(({ agentId }) => agentId !== undefined && isRunning(session, agentId))
}

const MAX_REASON_CHARS = 64 // agents use one word

export function endSession(session: Session, event: HookEvent): Session {
  const children = session.children.map((child) => ended(child, event.at))
  return {
    ...settled({ ...session, background: [], children, openTools: [], attention: [] }, event),
    starting: false,
    endedAt: session.endedAt ?? event.at,
    ...(event.reason === undefined ? {} : { endReason: event.reason.slice(0, MAX_REASON_CHARS) }),
  }
}
