/** The keys of the fleet, most of them as on the terminal. */
import type { RefObject } from 'react'
import type { SessionView } from '../../client/index.ts'
import { FILTERS, rowId } from '../../sessions/state/tree.ts'
import { useKeys } from '../keys.ts'
import { toast } from '../parts/toast.tsx'
import { goToPane, markSeen, openSession } from './act.ts'
import { type Choose, type FleetChoice, withFold } from './choice.ts'
import { askFor, interrupt } from './dialogs.tsx'
import type { Answers } from './held.tsx'
import type { Placed, Row } from './tree.ts'

interface Parts {
  readonly rows: readonly Row[]
  readonly needs: readonly Placed[]
  readonly choice: FleetChoice
  readonly choose: Choose
  readonly field: RefObject<HTMLInputElement | null>
  readonly answer: (what: keyof Answers, session: SessionView | undefined) => void
}

const PAGE = 15 // rows

export function useFleetKeys({ rows, needs, choice, choose, field, answer }: Parts): void {
  const at = rows.findIndex(({ id }) => id === choice.selected)
  const row = rows[at]
  const card = needs.find((one) => rowId(one) === choice.selected)
  const session = card?.session ?? (row && row.kind !== 'group' ? row.session : undefined)

  const move = (to: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, to))]
    if (!next) return
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    choose({ selected: next.id })
  }
  const fold = (folds: boolean) => {
    if (!row) return
    const folded = choice.folded.has(row.id)
    const canFold = row.kind === 'group' || (row.kind === 'session' && row.under > 0)
    if (canFold && folded !== folds) choose({ folded: withFold(choice.folded, row.id, folds) })
    else if (!folds) move(at + 1)
    else {
      const above = rows.slice(0, at).findLastIndex((one) => depthOf(one) < depthOf(row))
      if (above >= 0) move(above)
    }
  }
  const foldAll = () => {
    const groups = rows.filter(({ kind }) => kind === 'group').map(({ id }) => id)
    const anyOpen = groups.some((id) => !choice.folded.has(id))
    choose({ folded: new Set(anyOpen ? groups : []) })
  }
  const toggle = () => {
    if (!row) return false
    if (row.kind === 'group') choose({ folded: withFold(choice.folded, row.id, row.open) })
    else {
      const id = row.kind === 'child' ? row.id.slice(0, row.id.lastIndexOf('/')) : row.id
      choose({ opened: choice.opened === id ? undefined : id })
    }
  }
  const nextNeed = () => {
    const now = needs.findIndex((one) => rowId(one) === choice.selected)
    const next = needs[(now + 1) % needs.length]
    if (!next) return toast('Nobody needs you.', 'done')
    choose({ selected: rowId(next) })
    document.querySelector<HTMLElement>(`.card[data-key="${CSS.escape(next.session.key)}"]`)?.focus()
  }
  const enter = () => {
    if (row?.kind === 'group') return toggle()
    if (!session) return false
    if (session.pane === undefined) openSession(session)
    else void goToPane(session)
  }
  const reset = () => {
    if (choice.opened !== undefined) choose({ opened: undefined })
    else choose({ search: '', filter: 'live', agent: undefined })
  }
  const nextFilter = () =>
    choose({ filter: FILTERS[(FILTERS.indexOf(choice.filter) + 1) % FILTERS.length] ?? 'live' })

  useKeys([
    { keys: ['j', 'ArrowDown'], shown: 'j ↓', does: 'next line', run: () => move(at + 1) },
    { keys: ['k', 'ArrowUp'], shown: 'k ↑', does: 'line before', run: () => move(at - 1) },
    { keys: ['^d', 'PageDown'], shown: 'ctrl-d', does: 'a page down', run: () => move(at + PAGE) },
    { keys: ['^u', 'PageUp'], shown: 'ctrl-u', does: 'a page up', run: () => move(at - PAGE) },
    { keys: ['g', 'Home'], does: 'first line', run: () => move(0) },
    { keys: ['G', 'End'], does: 'last line', run: () => move(rows.length - 1) },
    { keys: ['h', 'ArrowLeft'], shown: 'h ←', does: 'fold', run: () => fold(true) },
    { keys: ['l', 'ArrowRight'], shown: 'l →', does: 'unfold', run: () => fold(false) },
    { keys: ['z'], does: 'fold all projects', run: foldAll },
    { keys: ['n'], does: 'next session that needs you', run: nextNeed },
    { keys: ['a', 'A'], shown: 'A', does: 'approve what it asks for', run: () => answer('approve', session) },
    { keys: ['x', 'X'], shown: 'X', does: 'deny it, with a message', run: () => answer('deny', session) },
    { keys: ['Enter'], shown: '↵', does: 'go to its tmux pane, else open it', run: enter },
    { keys: ['o'], does: 'open the session', run: () => session && openSession(session) },
    { keys: [' ', 'd'], shown: 'space', does: 'details', run: toggle },
    { keys: ['m'], does: 'mark as seen', run: () => session && void markSeen(session) },
    { keys: ['r'], does: 'rename it', run: () => session && askFor('rename', session) },
    {
      keys: ['s'],
      does: 'send text, when it is idle or asks',
      run: () => session && askFor('send', session),
    },
    { keys: ['i'], does: 'interrupt (Escape into its pane)', run: () => session && interrupt(session) },
    { keys: ['b'], does: 'budgets, and raise one', run: () => session && askFor('budgets', session) },
    { keys: ['K'], does: 'end it, after a yes', run: () => session && askFor('end', session) },
    { keys: ['f'], does: 'next filter', run: nextFilter },
    {
      keys: ['/'],
      does: 'search',
      run: () => {
        field.current?.focus()
        field.current?.select()
      },
    },
    { keys: ['Escape'], shown: 'esc', does: 'close, then show all again', run: reset },
  ])
}

function depthOf(row: Row): number {
  return row.kind === 'group' ? 0 : row.depth
}
