/** The state of the dashboard, and how the daemon's feed changes it. */
import {
  aged,
  dropOldEnded,
  type FleetSessions,
  type SessionChange,
  type SessionView,
} from '../../client/index.ts'
import type { Entry } from '../../timeline/index.ts'
import { settled } from './cursor.ts'
import type { Tone } from './line.ts'
import type { Filter } from './tree.ts'

export type Mode =
  | { readonly kind: 'browse' }
  | { readonly kind: 'search'; readonly before: string }
  | { readonly kind: 'send'; readonly key: string; readonly text: string }
  | { readonly kind: 'confirm-kill'; readonly key: string }
  | {
      readonly kind: 'approve'
      readonly key: string
      readonly id: string
      readonly nonce: string
      readonly tool: string
      readonly text: string
    }
  | { readonly kind: 'deny'; readonly key: string; readonly id: string; readonly text: string }
  | { readonly kind: 'help'; readonly page?: number }

type Link =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | { readonly state: 'away'; readonly why: string; readonly starting: boolean }

interface Notice {
  readonly text: string
  readonly tone: Tone
  readonly until: number
}

interface Hosts {
  readonly names: readonly string[]
  readonly silent: readonly string[]
  readonly sessions: ReadonlyMap<string, SessionView>
}

export interface FleetState {
  readonly link: Link
  readonly sessions: ReadonlyMap<string, SessionView>
  /** Other hosts of the fleet, and their sessions as last reported, which are shown and cannot be acted on. */
  readonly hosts: Hosts
  readonly collapsed: ReadonlySet<string>
  /** Id of the selected row. Until the first key the cursor is on the first session, so that who watches sees what one asks. */
  readonly selected: string | undefined
  readonly filter: Filter
  readonly search: string
  readonly mode: Mode
  readonly tab: 'timeline' | 'screen'
  /** On a small screen an open detail replaces the tree. */
  readonly detailOpen: boolean
  readonly timeline: { readonly key: string; readonly entries: readonly Entry[] } | undefined
  readonly screen:
    | { readonly key: string; readonly lines: readonly string[]; readonly problem?: string }
    | undefined
  readonly notice: Notice | undefined
  readonly lastClick: { readonly id: string; readonly at: number } | undefined
}

export const FIRST_STATE: FleetState = {
  link: { state: 'connecting' },
  sessions: new Map(),
  hosts: { names: [], silent: [], sessions: new Map() },
  collapsed: new Set(),
  selected: undefined,
  filter: 'live',
  search: '',
  mode: { kind: 'browse' },
  tab: 'timeline',
  detailOpen: false,
  timeline: undefined,
  screen: undefined,
  notice: undefined,
  lastClick: undefined,
}

export function withChanges(state: FleetState, changes: readonly SessionChange[]): FleetState {
  if (changes.length === 0) return state
  let sessions = new Map(state.sessions)
  for (const change of changes) {
    if ('snapshot' in change)
      sessions = new Map(change.snapshot.sessions.map((session) => [session.key, session]))
    else sessions.set(change.session.key, change.session)
  }
  dropOldEnded(sessions)
  return settled(state, { ...state, link: { state: 'live' }, sessions })
}

/** The other hosts as they are now. Their sessions are grouped under the name of their host. */
export function withHosts(state: FleetState, { hosts, sessions }: FleetSessions): FleetState {
  const others = hosts.filter(({ self }) => !self)
  const label = new Map(others.map(({ host, state: is }) => [host, is === 'here' ? host : `${host} (${is})`]))
  const shown = sessions.flatMap((session): [string, SessionView][] => {
    const place = label.get(session.host)
    if (place === undefined) return []
    const key = `${session.host}\n${session.key}` // no key of a session here has a line break
    const project = `${place} › ${textOr(session.project, 'elsewhere')}`
    return [[key, { ...told(session), key, project }]]
  })
  const names = others.map(({ host }) => host)
  const silent = others.filter(({ state: is }) => is === 'silent').map(({ host }) => host)
  return settled(state, { ...state, hosts: { names, silent, sessions: new Map(shown) } })
}

/** The facts of another host's record that were checked when it was read; other fields may have any shape. */
function told(session: FleetSessions['sessions'][number]): SessionView {
  const { id, key, name, agent, phase, detail, needsYou, usage, lastActivity, lastPrompt, stale } = session
  const startedAt = numberOr(session.startedAt, lastActivity)
  return {
    ...{ id, key, name, agent, phase, needsYou, lastActivity, stale, startedAt },
    ...(detail === undefined ? {} : { detail }),
    ...(lastPrompt === undefined ? {} : { lastPrompt }),
    attention: session.attention.map((one) => ({ ...one, since: numberOr(one.since, lastActivity) })),
    turn: { open: session.turn.open },
    usage: {
      near: usage.near === 'warn' || usage.near === 'full' ? usage.near : 'none',
      ...(usage.contextPct === undefined ? {} : { contextPct: usage.contextPct }),
      ...(usage.costUsd === undefined ? {} : { costUsd: usage.costUsd }),
    },
    ...{ openTools: [], background: [], children: [], seen: true, generation: 1 },
    durationMs: Math.max(0, lastActivity - startedAt),
  }
}

function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' ? value : other
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' && value !== '' ? value : other
}

/** The host of a session that is not here. */
export function hostOf(key: string): string | undefined {
  const end = key.indexOf('\n')
  return end < 0 ? undefined : key.slice(0, end)
}

/** A session becomes stale without an event, so time alone changes the state. */
export function withAge(state: FleetState, now: number): FleetState {
  const older = [...state.sessions].filter(([, session]) => aged(session, now) !== session)
  if (older.length === 0) return state
  const sessions = new Map(state.sessions)
  for (const [key, session] of older) sessions.set(key, aged(session, now))
  return settled(state, { ...state, sessions })
}

const NOTICE_MS = 4_000

export function withNotice(
  state: FleetState,
  text: string,
  now: number,
  tone: 'need' | 'done' = 'need',
): FleetState {
  return { ...state, notice: { text, tone, until: now + NOTICE_MS } }
}
