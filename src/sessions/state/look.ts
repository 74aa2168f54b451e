/**
 * How a session looks to a person: its order, mark, colour and word. This is the only definition; the command line, the
 * TUI, tmux, the demo and the list of all hosts use it. Pure.
 *
 *   sessions.toSorted(inOrder)          // those that need you first
 *   const { mark, word, text } = lookOf(session)   // '▲', 'needs you', 'Permission for Bash'
 */
import { clean, counted } from '../../core/text/text.ts'
import type { EngineStatus } from './dialects.ts'
import { isStale, type Phase, STALE_MS } from './phase.ts'
import type { Denial } from './session.ts'

type LookStatus =
  | 'failed'
  | 'asks'
  | 'working'
  | 'compacting'
  | 'starting'
  | 'done'
  | 'idle'
  | 'stale'
  | 'ended'

export type LookTone = 'need' | 'error' | 'work' | 'busy' | 'done' | 'quiet'

interface Style {
  /** Lower ranks come first. Live sessions share one, so that no row jumps when an agent starts or stops working. */
  readonly rank: number
  readonly mark: string
  readonly tone: LookTone
  readonly word: string
}

const LIVING = 2
const STALE = 3

/** One-column marks without emoji: terminals agree on their width. */
export const LOOKS: Readonly<Record<LookStatus, Style>> = {
  failed: { rank: 0, mark: '✖', tone: 'error', word: 'failed' },
  asks: { rank: 1, mark: '▲', tone: 'need', word: 'needs you' },
  working: { rank: LIVING, mark: '●', tone: 'work', word: 'working' },
  compacting: { rank: LIVING, mark: '◐', tone: 'busy', word: 'compacting' },
  starting: { rank: LIVING, mark: '◌', tone: 'quiet', word: 'starting' },
  done: { rank: LIVING, mark: '✓', tone: 'done', word: 'done' },
  idle: { rank: LIVING, mark: '○', tone: 'quiet', word: 'idle' },
  stale: { rank: STALE, mark: '◇', tone: 'quiet', word: 'stale' },
  ended: { rank: 4, mark: '·', tone: 'quiet', word: 'ended' },
}

const MEANINGS: Readonly<Record<LookStatus, string>> = {
  asks: 'waits for you',
  failed: 'its turn failed',
  working: 'works',
  compacting: 'compacts its context',
  stale: `stale: silent for ${STALE_MS / 3_600_000} hours`,
  done: 'done, not looked at yet',
  idle: 'idle',
  starting: 'starting',
  ended: 'ended',
}

/** What the marks mean, for people who ask for help. */
export const LEGEND = Object.entries(MEANINGS) as readonly (readonly [status: LookStatus, meaning: string])[]

/** Looks for the work engine's statuses. */
export const ENGINE_LOOKS: Readonly<Record<EngineStatus, Style>> = {
  error: LOOKS.failed,
  attention: LOOKS.asks,
  working: LOOKS.working,
  checked: LOOKS.idle,
  done: LOOKS.done,
}

/** The statuses that the strip of the past tells apart. */
export type ActivityStatus = Exclude<LookStatus, 'done' | 'stale' | 'ended'>

/** What a session did then, for the strip; null leaves it empty. */
export const STRIP_WORDS: Readonly<Record<ActivityStatus, string | null>> = {
  failed: 'failed',
  asks: 'waited for you',
  working: 'worked',
  compacting: 'compacted',
  starting: null,
  idle: null,
}

/** The parts of a session's record that its look depends on. */
export interface Looked {
  readonly key: string
  readonly phase: Phase
  readonly needsYou: boolean
  readonly stale: boolean
  readonly seen?: boolean
  readonly detail?: string
  readonly attention: readonly { readonly kind: string; readonly reason: string; readonly since?: number }[]
  readonly approvals?: readonly { readonly tool: string; readonly since: number }[]
  readonly denied?: Denial
  readonly turn: { readonly startedAt?: number; readonly stoppedAt?: number }
  /** May be missing in records of other hosts. */
  readonly startedAt?: number
  readonly endedAt?: number
  readonly lastActivity: number
}

export interface Look extends Style {
  readonly status: LookStatus
  /** What it does or waits for, in a few words. */
  readonly text: string
  /** Start of this state. */
  readonly since: number
}

/** A screen draws all sessions whenever one of them changes, and a record never changes in place. */
const known = new WeakMap<Looked, Look>()

export function lookOf(session: Looked): Look {
  const before = known.get(session)
  if (before) return before
  const status = statusOf(session)
  const look = { status, ...LOOKS[status], text: textOf(session, status), since: sinceOf(session, status) }
  known.set(session, look)
  return look
}

/**
 * Sessions that need you come first: failed turns, then the longest waiting. Then live ones by start, then stale ones, then
 * ended ones, both latest first.
 */
export function inOrder(a: Looked, b: Looked): number {
  const [{ rank, since }, other] = [lookOf(a), lookOf(b)]
  const byRank = rank - other.rank
  if (byRank !== 0) return byRank
  const byTime = rank === LIVING ? (a.startedAt ?? 0) - (b.startedAt ?? 0) : since - other.since
  return (rank > LIVING ? -byTime : byTime) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
}

/** Updates staleness by the clock: a session becomes stale without an event. */
export function aged<One extends Pick<Looked, 'stale' | 'endedAt' | 'lastActivity'>>(
  session: One,
  now: number,
): One {
  const stale = isStale(session, now)
  return stale === session.stale ? session : { ...session, stale }
}

/** A living session's status by its phase alone. */
export function activityOf(phase: Exclude<Phase, 'ended'>): ActivityStatus {
  return phase === 'blocked' ? 'asks' : phase
}

/** What is done, silent or over is idle in a strip. */
export function activityIn(status: LookStatus): ActivityStatus {
  return status === 'done' || status === 'stale' || status === 'ended' ? 'idle' : status
}

const MAX_ENDED = 500 // the last ones; a screen may be open for weeks

/** Takes the oldest ended sessions out of what a screen shows. */
export function dropOldEnded(sessions: Map<string, Pick<Looked, 'key' | 'phase' | 'lastActivity'>>): void {
  if (sessions.size <= MAX_ENDED) return
  const ended = [...sessions.values()].filter(({ phase }) => phase === 'ended')
  if (ended.length <= MAX_ENDED) return
  ended.sort((a, b) => a.lastActivity - b.lastActivity)
  for (const { key } of ended.slice(0, ended.length - MAX_ENDED)) sessions.delete(key)
}

export function rankOf(session: Looked): number {
  return lookOf(session).rank
}

function statusOf(session: Looked): LookStatus {
  if (session.phase === 'ended') return 'ended'
  if (askOf(session) || (session.approvals ?? []).length > 0) return 'asks'
  if (failureOf(session)) return 'failed'
  if (session.stale) return 'stale'
  switch (session.phase) {
    case 'idle':
      return session.seen || session.turn.stoppedAt === undefined ? 'idle' : 'done'
    default:
      return activityOf(session.phase)
  }
}

function textOf(session: Looked, status: LookStatus): string {
  const { word } = LOOKS[status]
  const detail = clean(session.detail ?? '')
  switch (status) {
    case 'asks':
    case 'failed': {
      const first = askOf(session) ?? failureOf(session)
      const [held] = session.approvals ?? []
      const more = session.attention.filter(({ kind }) => kind !== 'idle').length - 1
      const said = first ? askWords(first) : held ? `Permission for ${clean(held.tool)}` : word
      return `${said}${more > 0 ? ` +${more}` : ''}${session.stale ? ' · stale' : ''}`
    }
    case 'working':
    case 'idle':
      return session.denied ? denialWords(session.denied) : detail || word
    case 'done':
      return session.denied ? `${word} · ${denialWords(session.denied)}` : word
    case 'compacting':
      return detail || word
    default:
      return word
  }
}

/** What hooks did not see of it, in a few words; nothing if they saw all. */
export function uncoveredWords({ hookless, uncoveredCalls = 0 }: UncoveredGlance): string {
  const calls = uncoveredCalls === 0 ? '' : `${counted(uncoveredCalls, 'call')} not seen by hooks`
  return [hookless ? 'no hooks' : '', calls].filter(Boolean).join(', ')
}

type UncoveredGlance = { readonly hookless?: true; readonly uncoveredCalls?: number }

function sinceOf(session: Looked, status: LookStatus): number {
  const { turn, lastActivity, startedAt, endedAt } = session
  switch (status) {
    case 'asks':
      return askOf(session)?.since ?? session.approvals?.[0]?.since ?? lastActivity
    case 'failed':
      return failureOf(session)?.since ?? lastActivity
    case 'working':
    case 'compacting':
      return turn.startedAt ?? lastActivity
    case 'starting':
      return startedAt ?? lastActivity
    case 'done':
    case 'idle':
      return turn.stoppedAt ?? lastActivity
    case 'stale':
      return lastActivity
    case 'ended':
      return endedAt ?? lastActivity
  }
}

function askOf({ attention }: Looked) {
  return attention.find(({ kind }) => kind !== 'idle' && kind !== 'error')
}

function failureOf({ attention }: Looked) {
  return attention.find(({ kind }) => kind === 'error')
}

/** For a question or plan the reason is only a tool name, for an error only its kind. */
export function askWords({ kind, reason }: { readonly kind: string; readonly reason: string }): string {
  if (kind === 'question') return 'Question for you'
  if (kind === 'plan') return 'Plan to approve'
  return kind === 'error' ? clean(reason).replaceAll('_', ' ') : clean(reason)
}

const REFUSED_BY = /^refused by (.+?)(?:: (.*))?$/s

/** Who refused it and why, in the reason of an event; gantry's own name both. */
export function refusalIn(said: string | undefined): Pick<Denial, 'by' | 'reason'> {
  const [, by, reason] = REFUSED_BY.exec(said ?? '') ?? []
  if (by === undefined) return said === undefined ? {} : { reason: said }
  return { by, ...(reason ? { reason } : {}) }
}

/** `denied by guard:git-force-push`, or `denied` if it is not known by whom. */
export function deniedBy(by: string | undefined): string {
  if (by === undefined) return 'denied'
  const who = by === 'work' ? 'the effort' : by.startsWith('approval:') ? 'a person' : clean(by)
  return `denied by ${who}`
}

/** In an event: who, and why. */
export function refusalWords(said: string | undefined): string {
  const { by, reason } = refusalIn(said)
  return by === undefined || reason === undefined ? deniedBy(by) : `${deniedBy(by)}: ${reason}`
}

/** On a session's line: who, and what. */
export function denialWords({ by, tool, line, reason }: Denial): string {
  return [deniedBy(by), clean(line ?? tool ?? reason ?? '')].filter(Boolean).join(': ')
}

/** A sub-agent has fewer statuses; it is stale with its session. */
export function childLook(
  child: {
    readonly phase: Phase
    readonly type: string
    readonly agentId: string
    readonly startedAt: number
  },
  session: Pick<Looked, 'stale'>,
): Look {
  const status = childStatus(child.phase, session.stale)
  return { status, ...LOOKS[status], text: clean(child.type || child.agentId), since: child.startedAt }
}

function childStatus(phase: Phase, stale: boolean): LookStatus {
  if (phase === 'ended') return 'ended'
  if (phase === 'blocked') return 'asks'
  if (stale) return 'stale'
  return phase === 'idle' ? 'idle' : 'working'
}
