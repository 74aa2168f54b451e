/** The visible phase, derived from the facts: ended > blocked > compacting > working > starting > idle. */
import { busyChildren } from './children.ts'
import type { Attention, Session } from './session.ts'

export const PHASES = ['starting', 'idle', 'working', 'blocked', 'compacting', 'ended'] as const
export type Phase = (typeof PHASES)[number]

export const STALE_MS = 8 * 3_600_000

/** Attention that stops the agent until a person acts; the other kinds stop nothing. */
const HARD: ReadonlySet<Attention['kind']> = new Set<Attention['kind']>([
  'permission',
  'question',
  'plan',
  'elicitation',
])

export function isHard(attention: Attention): boolean {
  return HARD.has(attention.kind)
}

/** A person must act before it can continue. This is the only definition. */
export function needsYou({ endedAt, attention }: Pick<Session, 'endedAt' | 'attention'>): boolean {
  return endedAt === undefined && attention.some((one) => isHard(one) || one.kind === 'error')
}

/** Nothing runs, and nobody is asked. */
export function isResting(phase: Phase): boolean {
  return phase === 'idle' || phase === 'starting'
}

/** What a person can do to an agent from elsewhere: send it text, interrupt it with Escape, end it. */
export const ACTS = ['send', 'interrupt', 'end'] as const
export type Act = (typeof ACTS)[number]

interface Reached {
  readonly name: string
  readonly phase: Phase
  readonly attention: readonly Pick<Attention, 'kind'>[]
  readonly pane?: string
}

/** Why it cannot be done; undefined if it can. */
export function refusesAct(session: Reached, act: Act): string | undefined {
  const { name, phase, pane } = session
  if (act === 'end') return phase === 'ended' ? `${name} has ended.` : undefined
  if (pane === undefined) return `${name} runs in no tmux pane, so it cannot be reached from here.`
  if (act === 'send') return refusesText(session)
  return isResting(phase) || phase === 'ended' ? `${name} is ${phase}: nothing to interrupt.` : undefined
}

/**
 * Why text must not be sent to it; undefined if it waits for text. In a permission dialog a letter may be an answer, so text
 * goes only to an agent that rests or asks for some.
 */
function refusesText({ name, phase, attention }: Reached): string | undefined {
  if (isResting(phase)) return undefined
  const hard = attention.filter(({ kind }) => kind !== 'idle' && kind !== 'error')
  const asksForText = hard.every(({ kind }) => kind === 'question' || kind === 'elicitation')
  if (phase === 'blocked' && hard.length > 0 && asksForText) return undefined
  return phase === 'blocked'
    ? `${name} waits for a decision, not for text: enter takes you there.`
    : `${name} is ${phase}: text goes only to an agent that is idle or asks.`
}

export function phaseOf(session: Session): Phase {
  if (session.endedAt !== undefined) return 'ended'
  if (session.attention.some(isHard)) return 'blocked'
  if (session.compacting) return 'compacting'
  if (session.turn.open) return 'working'
  // It reported that it waits for a prompt: background work continues without it.
  if (session.attention.some(({ kind }) => kind === 'idle')) return 'idle'
  if (session.background.length > 0 || session.openTools.length > 0) return 'working'
  if (busyChildren(session).length > 0) return 'working'
  return session.starting ? 'starting' : 'idle'
}

/**
 * End of the grace period in which an idle session may just be between two tool calls; undefined if over or not applicable.
 */
export function graceOf(session: Session): number | undefined {
  const { graceUntil, settled } = session.turn
  return settled || phaseOf(session) !== 'idle' ? undefined : graceUntil
}

/** Computed, never stored. */
export function isStale(session: Pick<Session, 'endedAt' | 'lastActivity'>, now: number): boolean {
  return session.endedAt === undefined && now - session.lastActivity > STALE_MS
}

export function childPhase(session: Session, agentId: string): Phase {
  const child = session.children.find((one) => one.agentId === agentId)
  if (!child || child.endedAt !== undefined || session.endedAt !== undefined) return 'ended'
  if (session.attention.some((one) => one.agentId === agentId && isHard(one))) return 'blocked'
  return child.idle ? 'idle' : 'working'
}
