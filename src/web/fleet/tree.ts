/** The fleet as rows: place › session › sub-agents and sessions inside it. A place is a checkout of a project on a host. Pure. */
import type { SessionView } from '../../client/index.ts'
import { clean, counted } from '../../core/text/text.ts'
import { inOrder, lookOf } from '../../sessions/state/look.ts'
import {
  type ChildRow,
  FILTERS,
  type Filter,
  groupsOf,
  hasFilter,
  hasWords,
  nestedIn,
  projectOf,
  type SessionRow as SessionRowOf,
  sessionRows,
  type Placed as TreePlaced,
  wordsOf,
} from '../../sessions/state/tree.ts'
import type { OtherHost } from '../live/store.ts'

export type Placed = TreePlaced<OtherHost>
export type SessionRow = SessionRowOf<OtherHost>

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
  /** Those that need somebody, most urgent first, whatever their state: only another agent or other words hide them. */
  readonly needs: readonly Placed[]
  /** Of all sessions that the agent filter and the search leave. */
  readonly counts: Readonly<Record<Filter, number>>
  /** What the filters leave out, in words: `31 ended`. */
  readonly hidden: readonly string[]
}

export function shownOf(all: readonly Placed[], asked: Asked): Shown {
  const counts: Record<Filter, number> = { live: 0, needs: 0, working: 0, idle: 0, all: 0 }
  const left: Placed[] = []
  const needs: Placed[] = []
  const out = new Map<string, { count: number; needs: number }>()
  const leave = (why: string, needy: boolean) => {
    const { count, needs: before } = out.get(why) ?? { count: 0, needs: 0 }
    out.set(why, { count: count + 1, needs: before + (needy ? 1 : 0) })
  }
  const words = wordsOf(asked.search)
  for (const one of all) {
    const look = lookOf(one.session)
    const needy = isNeedy(one)
    if (asked.agent !== undefined && one.session.agent !== asked.agent) leave('of other agents', needy)
    else if (!hasWords(one.session, look, words)) leave('without these words', needy)
    else {
      if (needy) needs.push(one)
      for (const filter of FILTERS) if (hasFilter(one.session, look, filter)) counts[filter] += 1
      if (hasFilter(one.session, look, asked.filter)) left.push(one)
      else leave(look.word, false) // if it needs somebody, its card is shown
    }
  }
  const hidden = [...out].map(
    ([why, { count, needs: needy }]) =>
      `${count} ${why}${needy > 0 ? ` (${counted(needy, 'needs you', 'need you')})` : ''}`,
  )
  needs.sort((a, b) => inOrder(a.session, b.session))
  return { rows: rowsOf(left, asked), needs, counts, hidden }
}

/** It asks, or its turn failed. Those of a silent host may have been answered long ago. */
export function isNeedy({ session, host }: Placed): boolean {
  if (host && host.state !== 'here') return false
  return session.needsYou || lookOf(session).status === 'asks'
}

function rowsOf(shown: readonly Placed[], { folded, search }: Asked): Row[] {
  const inside = nestedIn(shown)
  const tops = shown.filter((one) => !inside.isInner(one))
  return [...groupsOf(tops, placeId)].flatMap(([id, there]): Row[] => {
    const [first] = there
    if (!first) return []
    const members = there.flatMap((one) => [one, ...inside.of(one)])
    const open = search !== '' || !folded.has(id) // what was searched for must be visible
    const group: GroupRow = {
      kind: 'group',
      id,
      project: projectOf(first.session),
      place: branchWords(first.session),
      ...(first.host ? { host: first.host } : {}),
      needs: members.filter(({ session }) => session.needsYou).length,
      count: members.length,
      open,
    }
    return open ? [group, ...sessionRows<OtherHost, Placed>(there, 1, folded, inside)] : [group]
  })
}

function placeId({ session, host }: Placed): string {
  return ['place', projectOf(session), session.root ?? session.cwd ?? '', host?.host ?? ''].join('\n')
}

export function branchWords({ worktree, branch }: SessionView): string {
  return [...new Set([worktree, branch])]
    .filter((name) => name !== undefined)
    .map((name) => clean(name, 80))
    .join(' · ')
}
