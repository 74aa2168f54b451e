/**
 * How much of a session's visible state an event changes. A `state` change has a cause that people ask for. `facts` are
 * sent as quickly. `numbers` change with every status line and may be throttled.
 */
import { phaseOf } from './phase.ts'
import type { Attention, Child, Session } from './session.ts'

export type ChangeLevel = 'none' | 'numbers' | 'facts' | 'state'

const RANKS: Readonly<Record<ChangeLevel, number>> = { none: 0, numbers: 1, facts: 2, state: 3 }

export function levelOf(before: Session, after: Session): ChangeLevel {
  if (isOtherState(before, after)) return 'state'
  if (areOtherFacts(before, after)) return 'facts'
  return isOther(before.usage, after.usage) ? 'numbers' : 'none'
}

export function higherLevel(a: ChangeLevel, b: ChangeLevel): ChangeLevel {
  return RANKS[a] < RANKS[b] ? b : a
}

function isOtherState(a: Session, b: Session): boolean {
  return (
    a.generation !== b.generation ||
    a.detail !== b.detail ||
    a.background.length !== b.background.length ||
    a.error?.message !== b.error?.message ||
    a.denials !== b.denials ||
    (a.denied === undefined) !== (b.denied === undefined) ||
    differ(a.attention, b.attention, isSameAsk) ||
    differ(a.children, b.children, isSameChild) ||
    phaseOf(a) !== phaseOf(b)
  )
}

/** Values that get a new reference only when they change. */
const PLAIN = [
  'name',
  'aliases',
  'agentVersion',
  'seen',
  'endedAt',
  'cwd',
  'model',
  'permissionMode',
  'pane',
  'tmux',
  'pid',
  'transcriptPath',
  'lastPrompt',
  'lastMessage',
  'title',
  'summary',
  'prevSessionId',
  'conversationId',
  'parentSessionId',
] as const satisfies readonly (keyof Session)[]

function areOtherFacts(a: Session, b: Session): boolean {
  for (const key of PLAIN) if (a[key] !== b[key]) return true
  return (
    isOther(a.turn, b.turn) ||
    isOther(a.error, b.error) ||
    differ(a.openTools, b.openTools, (one, other) => one.call === other.call) ||
    differ(a.background, b.background, (one, other) => !isOther(one, other)) ||
    differ(a.attention, b.attention, (one, other) => one.since === other.since && one.tool === other.tool) ||
    differ(a.todos ?? NOTHING, b.todos ?? NOTHING, (one, other) => !isOther(one, other))
  )
}

const NOTHING: readonly never[] = []

function isSameAsk(a: Attention, b: Attention): boolean {
  return a.kind === b.kind && a.reason === b.reason && a.agentId === b.agentId
}

function isSameChild(a: Child, b: Child): boolean {
  return a.agentId === b.agentId && a.endedAt === b.endedAt && a.idle === b.idle
}

function differ<T>(a: readonly T[], b: readonly T[], isSame: (one: T, other: T) => boolean): boolean {
  if (a === b) return false
  return a.length !== b.length || a.some((one, at) => !isSame(one, b[at] as T))
}

/** Shallow comparison of records of plain values. */
function isOther<T extends object>(a: T | undefined, b: T | undefined): boolean {
  if (a === b) return false
  if (a === undefined || b === undefined) return true
  const keys = Object.keys(b) as (keyof T)[]
  return keys.length !== Object.keys(a).length || keys.some((key) => a[key] !== b[key])
}
