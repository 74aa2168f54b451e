/**
 * The sessions as rows: place › session › sub-agents and sessions inside it. A place is a checkout of a project on a host.
 * What needs a person comes first; everything else keeps its position, so that rows do not jump while agents work. Pure.
 */
import type { ChildView, Look, SessionView } from '../../client/index.ts'
import { clean } from '../../core/text/text.ts'
import { inOrder, LOOKS, lookOf, rankOf } from '../../sessions/state/look.ts'
import { isResting } from '../../sessions/state/phase.ts'
import type { OtherHost } from '../live/store.ts'

export const FILTERS = ['live', 'needs', 'working', 'idle', 'all'] as const
export type Filter = (typeof FILTERS)[number]

/** A session with its host, if that is another one. */
export interface Placed {
  readonly session: SessionView
  readonly host?: OtherHost
}

export interface GroupRow {
  readonly kind: 'group'
  readonly id: string
  readonly project: string
  /** Worktree and branch. */
  readonly place: string
  readonly host?: OtherHost
  readonly needs: number
  readonly count: number
  readonly open: boolean
}

export interface SessionRow {
  readonly kind: 'session'
  readonly id: string
  readonly depth: number
  readonly session: SessionView
  readonly host?: OtherHost
  readonly under: number
  readonly open: boolean
}

export interface ChildRow {
  readonly kind: 'child'
  readonly id: string
  readonly depth: number
  readonly session: SessionView
  readonly child: ChildView
  readonly last: boolean
}

export type Row = GroupRow | SessionRow | ChildRow

export interface Asked {
  readonly filter: Filter
  readonly agent: string | undefined
  readonly search: string
  /** Ids of folded rows. */
  readonly folded: ReadonlySet<string>
}

export interface Shown {
  readonly rows: readonly Row[]
  /** Of all sessions that the agent filter and the search leave. */
  readonly counts: Readonly<Record<Filter, number>>
  /** What the filters leave out, in words: `31 ended`. */
  readonly hidden: readonly string[]
}

export function shownOf(all: readonly Placed[], asked: Asked): Shown {
  const counts: Record<Filter, number> = { live: 0, needs: 0, working: 0, idle: 0, all: 0 }
  const left: Placed[] = []
  const out = new Map<string, number>()
  const leave = (why: string) => out.set(why, (out.get(why) ?? 0) + 1)
  const words = wordsOf(asked.search)
  for (const one of all) {
    const look = lookOf(one.session)
    if (asked.agent !== undefined && one.session.agent !== asked.agent) leave('of other agents')
    else if (!hasText(one.session, look, words)) leave('without these words')
    else {
      for (const filter of FILTERS) if (passes(one.session, look, filter)) counts[filter] += 1
      if (passes(one.session, look, asked.filter)) left.push(one)
      else leave(look.word)
    }
  }
  const hidden = [...out].map(([why, count]) => `${count} ${why}`)
  return { rows: rowsOf(left, asked), counts, hidden }
}

function rowsOf(shown: readonly Placed[], { folded, search }: Asked): Row[] {
  const inside = nested(shown)
  const places = new Map<string, Placed[]>()
  for (const one of shown) {
    if (inside.isInner(one)) continue
    const id = placeId(one)
    const there = places.get(id)
    if (there) there.push(one)
    else places.set(id, [one])
  }
  const rows: Row[] = []
  for (const [id, there] of inRank(places)) {
    const [first] = there
    if (!first) continue
    const members = there.flatMap((one) => [one, ...inside.of(one)])
    const open = search !== '' || !folded.has(id) // what was searched for must be visible
    rows.push({
      kind: 'group',
      id,
      project: projectOf(first.session),
      place: placeOf(first.session),
      ...(first.host ? { host: first.host } : {}),
      needs: members.filter(({ session }) => session.needsYou).length,
      count: members.length,
      open,
    })
    if (open) sessionRows(rows, there, 1, folded, inside)
  }
  return rows
}

function sessionRows(
  rows: Row[],
  placed: readonly Placed[],
  depth: number,
  folded: ReadonlySet<string>,
  inside: Inside,
): void {
  for (const one of placed.toSorted((a, b) => inOrder(a.session, b.session))) {
    const { session, host } = one
    const children = session.children.filter(({ phase }) => phase !== 'ended')
    const below = inside.of(one)
    const under = children.length + below.length
    const id = rowId(one)
    const open = !folded.has(id)
    rows.push({ kind: 'session', id, depth, session, under, open, ...(host ? { host } : {}) })
    if (!open) continue
    for (const [n, child] of children.entries()) {
      const last = n === children.length - 1 && below.length === 0
      rows.push({ kind: 'child', id: `${id}/${child.agentId}`, depth: depth + 1, session, child, last })
    }
    if (below.length > 0) sessionRows(rows, below, depth + 1, folded, inside)
  }
}

interface Inside {
  isInner(one: Placed): boolean
  of(one: Placed): readonly Placed[]
}

/** Sessions that run in a tool call of another one. Agents nest one level; a cycle would hide sessions. */
function nested(shown: readonly Placed[]): Inside {
  const byName = new Map<string, Placed>()
  for (const one of shown) for (const name of [one.session.id, one.session.key]) byName.set(name, one)
  const inner = new Set<Placed>()
  const of = new Map<Placed, Placed[]>()
  for (const one of shown) {
    const parent = byName.get(one.session.parentSessionId ?? '')
    if (!parent || parent === one || parent.session.parentSessionId !== undefined) continue
    inner.add(one)
    of.set(parent, [...(of.get(parent) ?? []), one])
  }
  return { isInner: (one) => inner.has(one), of: (one) => of.get(one) ?? [] }
}

/** Places in which somebody needs you first, then by name. Of one project they stand together unless one needs you. */
function inRank(places: ReadonlyMap<string, Placed[]>): [string, Placed[]][] {
  const ranked = [...places].map(([id, there]) => ({
    id,
    there,
    rank: Math.min(LOOKS.working.rank, ...there.map(({ session }) => rankOf(session))),
  }))
  ranked.sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1))
  return ranked.map(({ id, there }) => [id, there])
}

export function rowId({ session, host }: Placed): string {
  return host ? `${host.host}/${session.key}` : session.key
}

function placeId({ session, host }: Placed): string {
  return ['place', projectOf(session), session.root ?? session.cwd ?? '', host?.host ?? ''].join('\n')
}

export function projectOf({ project }: SessionView): string {
  return clean(project || 'elsewhere', 80) // the root of a disk has no name
}

export function placeOf({ worktree, branch }: SessionView): string {
  return [...new Set([worktree, branch])]
    .filter((name) => name !== undefined)
    .map((name) => clean(name, 80))
    .join(' · ')
}

function passes(session: SessionView, look: Look, filter: Filter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'live':
      return session.phase !== 'ended'
    case 'needs':
      return session.needsYou || look.status === 'asks'
    case 'working':
      return look.tone === 'work' || look.tone === 'busy'
    case 'idle':
      return isResting(session.phase)
  }
}

function wordsOf(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean)
}

/** Every word occurs in what a row or a card can show. */
function hasText(session: SessionView, look: Look, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const { name, agent, project, branch, worktree, model, id, host, title, lastPrompt, lastMessage } = session
  const about = [name, agent, project, branch, worktree, model, id, host, title, lastPrompt, lastMessage]
  const held = session.approvals?.map(({ line }) => line) ?? []
  const text = [...about, ...held, look.word, look.text].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}
