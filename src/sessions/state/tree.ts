/**
 * Sessions as a tree for a screen: places › sessions › what runs inside them. What needs a person comes first; everything
 * else keeps its position, so that rows do not jump while agents work. The terminal and the page add their places. Pure.
 *
 *   const inside = nestedIn(placed)
 *   const rows = sessionRows(placed.filter((one) => !inside.isInner(one)), 1, folded, inside)
 */
import { clean } from '../../core/text/text.ts'
import { inOrder, type Look, rankOf } from './look.ts'
import { isResting } from './phase.ts'
import type { ChildView, SessionView } from './view.ts'

export const FILTERS = ['live', 'needs', 'working', 'idle', 'all'] as const
export type Filter = (typeof FILTERS)[number]

interface Host {
  readonly host: string
}

/** A session with its host, if that is another one. */
export interface Placed<Other extends Host = Host> {
  readonly session: SessionView
  readonly host?: Other
}

export interface SessionRow<Other extends Host = Host> {
  readonly kind: 'session'
  readonly id: string
  readonly depth: number
  readonly session: SessionView
  readonly host?: Other
  /** Number of sub-agents and sessions under it, shown when open. */
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

export function hasFilter(session: SessionView, look: Look, filter: Filter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'live':
      return session.phase !== 'ended'
    case 'needs':
      return session.needsYou || look.status === 'asks'
    case 'working':
      return isAtWork(look)
    case 'idle':
      return isResting(session.phase)
  }
}

/** The project as a label. The root of a disk has no name. */
export function projectOf({ project }: Pick<SessionView, 'project'>): string {
  return clean(project || 'elsewhere', 80)
}

export function isAtWork({ tone }: Look): boolean {
  return tone === 'work' || tone === 'busy'
}

export function wordsOf(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean)
}

/** Every word occurs in what a screen can show of it. */
export function hasWords(session: SessionView, look: Look, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const { name, agent, project, branch, worktree, model, id, host, title, lastPrompt, lastMessage } = session
  const about = [name, agent, project, branch, worktree, model, id, host, title, lastPrompt, lastMessage]
  const held = session.approvals?.map(({ line }) => line) ?? []
  const text = [...about, ...held, look.word, look.text].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** By a name, each group's most urgent session first, then by that name. */
export function groupsOf<One extends Placed>(
  placed: readonly One[],
  nameOf: (one: One) => string,
): Map<string, One[]> {
  const found = Map.groupBy(placed, nameOf)
  const first = (members: readonly One[]) => Math.min(...members.map(({ session }) => rankOf(session)))
  return new Map([...found].sort(([a, x], [b, y]) => first(x) - first(y) || (a < b ? -1 : 1)))
}

export interface Inside<One> {
  isInner(one: One): boolean
  of(one: One): readonly One[]
}

/** Sessions that run in a tool call of another one. Agents nest one level; a chain or a cycle would hide sessions. */
export function nestedIn<One extends Placed>(placed: readonly One[]): Inside<One> {
  const hasParent = ({ session }: One) => session.parentSessionId !== undefined
  if (!placed.some(hasParent)) return { isInner: () => false, of: () => [] }
  const byName = new Map<string, One>()
  for (const one of placed) for (const name of [one.session.id, one.session.key]) byName.set(name, one)
  const inner = new Set<One>()
  const of = new Map<One, One[]>()
  for (const one of placed) {
    const parent = byName.get(one.session.parentSessionId ?? '')
    if (!parent || parent === one || parent.session.parentSessionId !== undefined) continue
    inner.add(one)
    of.set(parent, [...(of.get(parent) ?? []), one])
  }
  return { isInner: (one) => inner.has(one), of: (one) => of.get(one) ?? [] }
}

/** Sessions in order, each with its living sub-agents and the sessions inside it, unless it is folded. */
export function sessionRows<Other extends Host, One extends Placed<Other>>(
  placed: readonly One[],
  depth: number,
  folded: ReadonlySet<string>,
  inside: Inside<One>,
): (SessionRow<Other> | ChildRow)[] {
  return placed
    .toSorted((a, b) => inOrder(a.session, b.session))
    .flatMap((one): (SessionRow<Other> | ChildRow)[] => {
      const { session, host } = one
      const children = session.children.filter(({ phase }) => phase !== 'ended')
      const below = inside.of(one)
      const id = rowId(one)
      const open = !folded.has(id)
      const under = children.length + below.length
      const row = { kind: 'session', id, depth, session, under, open, ...(host ? { host } : {}) } as const
      if (!open) return [row]
      const childRows = children.map((child, n): ChildRow => {
        const last = n === children.length - 1 && below.length === 0
        return { kind: 'child', id: `${id}/${child.agentId}`, depth: depth + 1, session, child, last }
      })
      return [row, ...childRows, ...sessionRows<Other, One>(below, depth + 1, folded, inside)]
    })
}

export function rowId({ session, host }: Placed): string {
  return host ? `${host.host}/${session.key}` : session.key
}
