/** The keys, for the help screen and docs/tui.md. */
import { AGENT_NAMES, factsOf, LEGEND, LOOKS } from '../../client/index.ts'
import { cut, fit, widthOf } from '../../core/text/columns.ts'
import { EMPTY, type Line, line, span } from './line.ts'

export const KEYS: readonly (readonly [key: string, does: string])[] = [
  ['j k ↓ ↑', 'move; g G to the ends, ctrl-d ctrl-u by pages'],
  ['h l ← →', 'fold and unfold; z all projects'],
  ['n', 'next session that needs you'],
  ['enter', 'go to its tmux pane'],
  ['a x', 'approve or deny what it asks for'],
  ['b', 'raise a budget that it has used up'],
  ['s', 'send text, when it is idle or asks'],
  ['i', 'interrupt (Escape into its pane)'],
  ['K', 'end it, after a yes'],
  ['/', 'search; esc shows all again'],
  ['f', 'filter: live, needs, working, idle, all'],
  ['tab', 'timeline or the screen of its pane'],
  ['d space', 'detail on a small screen'],
  ['u', 'start the daemon when it is away'],
  ['? q', 'this help; quit'],
]

export const SIGNS: readonly (readonly string[])[] = [
  LEGEND.map(([status, meaning]) => `${LOOKS[status].mark} ${meaning}`),
  AGENT_NAMES.map((agent) => `${factsOf(agent).glyph} ${agent}`),
]

/** All of it if it fits, else one page: `page` may be any number and wraps around. */
export function helpLines(width: number, height: number, page = 0): Line[] {
  const keys = KEYS.map(([key, does]) =>
    line(span(fit(`  ${key}`, 12), 'accent', true), span(cut(does, width - 13))),
  )
  const signs = SIGNS.flatMap((row) => rowsOf(row, width)).map((row) => line(span(row, 'quiet')))
  const all = [EMPTY, ...keys, EMPTY, ...signs]
  const shown = all.length <= height ? all : pageOf([...keys, EMPTY, ...signs], height, page)
  while (shown.length < height) shown.push(EMPTY)
  return shown
}

function pageOf(lines: readonly Line[], height: number, page: number): Line[] {
  const room = Math.max(1, height - 1)
  const pages = Math.ceil(lines.length / room)
  const nth = ((page % pages) + pages) % pages
  const shown = lines.slice(nth * room, (nth + 1) * room)
  while (shown.length < room) shown.push(EMPTY)
  return [...shown, line(span(`  ${nth + 1} of ${pages}: space shows more`, 'quiet'))].slice(0, height)
}

/** As many signs per row as fit. */
function rowsOf(signs: readonly string[], width: number): string[] {
  const rows: string[] = []
  for (const sign of signs) {
    const longer = `${rows.at(-1) ?? ''}   ${sign}`
    if (rows.length > 0 && widthOf(longer) <= width) rows[rows.length - 1] = longer
    else rows.push(`  ${sign}`)
  }
  return rows.map((row) => cut(row, width))
}
