/**
 * The sessions as rows: project › worktree › session › sub-agents. Sessions that need a person come first, within a
 * project and among projects. Everything else keeps its position, so that rows do not jump while agents work.
 */
import { type ChildView, inOrder, isResting, lookOf, rankOf, type SessionView } from '../../client/index.ts'
import { clean } from '../../core/text/text.ts'
import { topicOf } from './session-words.ts'

export type Filter = 'live' | 'needs' | 'working' | 'idle' | 'all'
export const FILTERS: readonly Filter[] = ['live', 'needs', 'working', 'idle', 'all']

export interface Group {
  readonly id: string
  readonly label: string
  readonly branch?: string
  readonly needs: number
  readonly working: number
  readonly count: number
  readonly open: boolean
}

export interface GroupRow {
  readonly kind: 'group'
  readonly id: string
  /** 0 is a project, 1 a worktree in it. */
  readonly depth: number
  readonly group: Group
}

export interface SessionRow {
  readonly kind: 'session'
  readonly id: string
  readonly depth: number
  readonly session: SessionView
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

export type Row = GroupRow | SessionRow | ChildRow

export interface TreeOptions {
  readonly filter: Filter
  readonly search: string
  readonly collapsed: ReadonlySet<string>
}

export function treeOf(sessions: Iterable<SessionView>, asked: TreeOptions): Row[] {
  // Search results must be visible, whatever is folded.
  const options = asked.search === '' ? asked : { ...asked, collapsed: NOTHING }
  const shown = [...sessions].filter((session) => passes(session, options))
  const inside = nested(shown)
  const tops = shown.filter((session) => !inside.nested.has(session.key))
  const rows: Row[] = []
  for (const [project, members] of groups(tops, (session) => clean(session.project ?? 'elsewhere', 80))) {
    const id = `project:${project}`
    const places = groups(members, placeKey)
    const only = places.size === 1 ? members[0] : undefined
    const branch = only && placeLabel(only)
    const group = groupOf(id, project, members, options, inside)
    rows.push({
      kind: 'group',
      id,
      depth: 0,
      group: branch === undefined ? group : { ...group, branch },
    })
    if (!group.open) continue
    if (only) {
      sessionRows(rows, members, 1, options, inside)
      continue
    }
    for (const [place, there] of places) {
      const label = there[0] === undefined ? place : (placeLabel(there[0]) ?? place)
      const made = groupOf(`worktree:${project}:${place}`, label, there, options, inside)
      const on = there[0]?.worktree === undefined ? undefined : there[0].branch
      const worktree = on === undefined ? made : { ...made, branch: clean(on, 80) }
      rows.push({ kind: 'group', id: worktree.id, depth: 1, group: worktree })
      if (worktree.open) sessionRows(rows, there, 2, options, inside)
    }
  }
  return rows
}

const NOTHING: ReadonlySet<string> = new Set()

interface Inside {
  /** Sessions that run in a tool call of another visible session. */
  readonly nested: ReadonlySet<string>
  readonly of: ReadonlyMap<string, readonly SessionView[]>
}

function nested(sessions: readonly SessionView[]): Inside {
  const byName = new Map<string, SessionView>()
  for (const session of sessions) {
    byName.set(session.id, session)
    byName.set(session.key, session)
  }
  const inner = new Set<string>()
  const of = new Map<string, SessionView[]>()
  for (const session of sessions) {
    const parent = session.parentSessionId === undefined ? undefined : byName.get(session.parentSessionId)
    // Agents nest one level; a chain or a cycle would hide sessions.
    if (!parent || parent.key === session.key || parent.parentSessionId !== undefined) continue
    inner.add(session.key)
    of.set(parent.key, [...(of.get(parent.key) ?? []), session])
  }
  return { nested: inner, of }
}

function sessionRows(
  rows: Row[],
  sessions: readonly SessionView[],
  depth: number,
  options: TreeOptions,
  inside: Inside,
): void {
  for (const session of [...sessions].sort(inOrder)) {
    const children = session.children.filter(({ phase }) => phase !== 'ended')
    const below = inside.of.get(session.key) ?? []
    const open = !options.collapsed.has(session.key)
    const under = children.length + below.length
    rows.push({ kind: 'session', id: session.key, depth, session, under, open })
    if (!open) continue
    for (const [i, child] of children.entries()) {
      const last = i === children.length - 1 && below.length === 0
      rows.push({
        kind: 'child',
        id: `${session.key}/${child.agentId}`,
        depth: depth + 1,
        session,
        child,
        last,
      })
    }
    if (below.length > 0) sessionRows(rows, below, depth + 1, options, inside)
  }
}

function groups(
  sessions: readonly SessionView[],
  nameOf: (session: SessionView) => string,
): Map<string, SessionView[]> {
  const found = new Map<string, SessionView[]>()
  for (const session of sessions) {
    const name = nameOf(session)
    const members = found.get(name)
    if (members) members.push(session)
    else found.set(name, [session])
  }
  const first = (members: readonly SessionView[]) => Math.min(...members.map(rankOf))
  return new Map([...found].sort(([a, x], [b, y]) => first(x) - first(y) || (a < b ? -1 : 1)))
}

function groupOf(
  id: string,
  label: string,
  members: readonly SessionView[],
  { collapsed }: TreeOptions,
  inside: Inside,
): Group {
  const all = members.flatMap((session) => [session, ...(inside.of.get(session.key) ?? [])])
  return {
    id,
    label,
    needs: all.filter(({ needsYou }) => needsYou).length,
    working: all.filter(isAtWork).length,
    count: all.length,
    open: !collapsed.has(id),
  }
}

/** Groups the sessions of one checkout, whatever folder in it they are in. */
function placeKey(session: SessionView): string {
  return clean(session.root ?? session.cwd ?? '', 400)
}

function placeLabel({ worktree, branch }: SessionView): string | undefined {
  const name = worktree ?? branch
  return name === undefined ? undefined : clean(name, 80)
}

function passes(session: SessionView, { filter, search }: TreeOptions): boolean {
  return hasFilter(session, filter) && (search === '' || hasText(session, search))
}

function hasFilter(session: SessionView, filter: Filter): boolean {
  const { phase, needsYou } = session
  switch (filter) {
    case 'all':
      return true
    case 'live':
      return phase !== 'ended'
    case 'needs':
      return needsYou
    case 'working':
      return isAtWork(session)
    case 'idle':
      return isResting(phase)
  }
}

function isAtWork(session: SessionView): boolean {
  const { tone } = lookOf(session)
  return tone === 'work' || tone === 'busy'
}

/** Every word of the search occurs in the visible text. */
function hasText(session: SessionView, search: string): boolean {
  const { name, agent, project, branch, worktree, model, id } = session
  const about = [
    name,
    agent,
    project,
    branch,
    worktree,
    model,
    id,
    lookOf(session).word,
    lookOf(session).text,
    topicOf(session),
  ]
  const text = about.join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

export interface Totals {
  readonly live: number
  readonly needs: number
  readonly working: number
  readonly costUsd: number
}

export function totalsOf(sessions: Iterable<SessionView>): Totals {
  let live = 0
  let needs = 0
  let working = 0
  let costUsd = 0
  for (const session of sessions) {
    if (session.phase === 'ended') continue
    live += 1
    if (session.needsYou) needs += 1
    else if (isAtWork(session)) working += 1
    costUsd += session.usage.costUsd ?? 0
  }
  return { live, needs, working, costUsd }
}
