/** The last line: available keys, current input, the last outcome, or a question to confirm. */
import { cut } from '../../core/text/columns.ts'
import { clean, cleanCells } from '../../core/text/text.ts'
import { heldBy } from './approval.ts'
import { selectedRow } from './cursor.ts'
import type { FleetState } from './fleet-state.ts'
import { apart, type Line, line, type Span, span, spansWidth } from './line.ts'
import type { Row } from './tree.ts'

type Hint = readonly [key: string, does: string]

const EVERYWHERE: readonly Hint[] = [
  ['n', 'next need'],
  ['/', 'search'],
  ['f', 'filter'],
]

const OF_SESSION: readonly Hint[] = [
  ['s', 'send'],
  ['i', 'interrupt'],
  ['tab', 'screen'],
  ['K', 'end'],
]

const ANSWERS: readonly Hint[] = [
  ['a', 'approve'],
  ['x', 'deny'],
]

/** `alone`: the screen is so small that the detail takes the place of the tree. */
export function footerLine(state: FleetState, width: number, now: number, alone: boolean): Line {
  const { mode, notice, link } = state
  const foot = (left: readonly Span[], ...keys: readonly Hint[]) => line(...apart(left, hints(keys), width))
  switch (mode.kind) {
    case 'search':
      return foot(
        [span(' /', 'accent', true), typing(state.search, width - 24)],
        ['enter', 'keep'],
        ['esc', 'back'],
      )
    case 'send': {
      const to = ` to ${clean(state.sessions.get(mode.key)?.name ?? '')}: `
      const text = typing(mode.text, width - to.length - 26)
      return foot([span(to, 'accent', true), text], ['enter', 'send'], ['esc', 'leave'])
    }
    case 'approve':
      return foot([span(' Approve this?', 'need', true)], ['y', 'yes'], ['n', 'no'])
    case 'deny': {
      const what = ` deny ${clean(mode.id)}, because: `
      return foot(
        [span(what, 'error', true), typing(mode.text, width - what.length - 26)],
        ['enter', 'deny'],
        ['esc', 'leave'],
      )
    }
    case 'confirm-kill':
      return foot([span(` End ${whoIs(state, mode.key)}?`, 'error', true)], ['y', 'yes'], ['n', 'no'])
  }
  if (notice && notice.until > now) return line(span(cut(` ${notice.text}`, width), notice.tone, true))
  if (link.state === 'away' && link.starting) return foot([span(' Starting the daemon …', 'need', true)])
  if (link.state === 'away')
    return foot([span(' The daemon is away. Trying again.', 'error', true)], ['u', 'start it'], ['q', 'quit'])
  const always = hints([
    ['?', 'help'],
    ['q', 'quit'],
  ])
  return line(...apart(whatFits(usefulKeys(state, alone), width - spansWidth(always) - 1), always, width))
}

function whoIs(state: FleetState, key: string): string {
  const session = state.sessions.get(key)
  if (!session) return clean(key)
  const facts = [session.agent, session.pid && `pid ${session.pid}`, session.pane && `pane ${session.pane}`]
  return clean(`${session.name} (${facts.filter(Boolean).join(', ')})`)
}

function hints(pairs: readonly Hint[]): Span[] {
  return pairs.flatMap(([key, does]) => [span(` ${key}`, 'accent'), span(` ${does} `, 'quiet')])
}

/** The keys that do something now, the most useful first. */
function usefulKeys(state: FleetState, alone: boolean): Hint[] {
  const row = selectedRow(state)
  return [
    ...(heldBy(state) ? ANSWERS : []),
    ...(row ? [enterHint(row)] : []),
    ...(alone ? [['d', state.detailOpen ? 'list' : 'detail'] as const] : []),
    ...EVERYWHERE,
    ...(row && row.kind !== 'group' ? OF_SESSION : []),
  ]
}

function enterHint(row: Row): Hint {
  if (row.kind === 'group') return ['enter', row.group.open ? 'fold' : 'unfold']
  return ['enter', 'jump']
}

function whatFits(all: readonly Hint[], width: number): Span[] {
  for (let count = all.length; count > 0; count--) {
    const spans = hints(all.slice(0, count))
    if (spansWidth(spans) <= width) return spans
  }
  return []
}

/** Shows the end of the input if it is too long. */
function typing(text: string, width: number): Span {
  const letters = [...cleanCells(text)]
  const shown =
    letters.length <= width ? letters.join('') : `…${letters.slice(-Math.max(1, width - 1)).join('')}`
  return span(`${shown}▏`)
}
