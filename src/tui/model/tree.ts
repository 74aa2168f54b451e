/**
 * The sessions as rows: project › worktree › session › sub-agents. Sessions that need a person come first, within a
 * project and among projects. Everything else keeps its position, so that rows do not jump while agents work.
 */
import { lookOf, type SessionView } from '../../client/index.ts'
import { clean } from '../../core/text/text.ts'
import {
  type ChildRow,
  type Filter,
  groupsOf,
  hasFilter,
  hasWords,
  type Inside,
  isAtWork,
  nestedIn,
  type Placed,
  projectOf,
  type SessionRow,
  sessionRows,
  wordsOf,
} from '../../sessions/state/tree.ts'

export { type ChildRow, FILTERS, type Filter, type SessionRow } from '../../sessions/state/tree.ts'

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

export type Row = GroupRow | SessionRow | ChildRow

interface TreeOptions {
  readonly filter: Filter
  readonly search: string
  readonly collapsed: ReadonlySet<string>
}

export function treeOf(sessions: Iterable<SessionView>, asked: TreeOptions): Row[] {
  // Search results must be visible, whatever is folded.
  const options = asked.search === '' ? asked : { ...asked, collapsed: NOTHING }
  const words = wordsOf(asked.search)
  const shown: Placed[] = []
  for (const session of sessions) {
    const look = lookOf(session)
    if (hasFilter(session, look, asked.filter) && hasWords(session, look, words)) shown.push({ session })
  }
  const inside = nestedIn(shown)
  const tops = shown.filter((one) => !inside.isInner(one))
  const below = (members: readonly Placed[], depth: number) =>
    sessionRows(members, depth, options.collapsed, inside)
  const rows: Row[] = []
  for (const [project, members] of groupsOf(tops, ({ session }) => projectOf(session))) {
    const id = `project:${project}`
    const places = groupsOf(members, placeKey)
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
      rows.push(...below(members, 1))
      continue
    }
    for (const [place, there] of places) {
      const [first] = there
      const label = first === undefined ? place : (placeLabel(first) ?? place)
      const made = groupOf(`worktree:${project}:${place}`, label, there, options, inside)
      const on = first?.session.worktree === undefined ? undefined : first.session.branch
      const worktree = on === undefined ? made : { ...made, branch: clean(on, 80) }
      rows.push({ kind: 'group', id: worktree.id, depth: 1, group: worktree })
      if (worktree.open) rows.push(...below(there, 2))
    }
  }
  return rows
}

const NOTHING: ReadonlySet<string> = new Set()

function groupOf(
  id: string,
  label: string,
  members: readonly Placed[],
  { collapsed }: TreeOptions,
  inside: Inside<Placed>,
): Group {
  const all = members.flatMap((one) => [one, ...inside.of(one)]).map(({ session }) => session)
  return {
    id,
    label,
    needs: all.filter(({ needsYou }) => needsYou).length,
    working: all.filter((session) => isAtWork(lookOf(session))).length,
    count: all.length,
    open: !collapsed.has(id),
  }
}

/** Groups the sessions of one checkout, whatever folder in it they are in. */
function placeKey({ session }: Placed): string {
  return clean(session.root ?? session.cwd ?? '', 400)
}

function placeLabel({ session: { worktree, branch } }: Placed): string | undefined {
  const name = worktree ?? branch
  return name === undefined ? undefined : clean(name, 80)
}

interface Totals {
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
    else if (isAtWork(lookOf(session))) working += 1
    costUsd += session.usage.costUsd ?? 0
  }
  return { live, needs, working, costUsd }
}
