/** The keys, as the help shows them and as docs/tui.md lists them. */
import { EMPTY, type Line, line, span } from './line.ts'
import { cut, fit } from './text.ts'

export const KEYS: readonly (readonly [key: string, does: string])[] = [
  ['j k ↓ ↑', 'move; g G to the ends, ctrl-d ctrl-u by pages'],
  ['h l ← →', 'fold and unfold; z all projects'],
  ['n', 'next session that needs you'],
  ['enter', 'go to its tmux pane'],
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
  ['▲ waits for you', '✖ its turn failed', '● works', '◐ compacts its context'],
  ['✓ done, not looked at yet', '○ idle', '◌ starting', '· ended'],
  ['✻ claude', '⬡ codex', '✦ gemini', '◈ copilot', '▣ opencode'],
]

export function helpLines(width: number, height: number): Line[] {
  const keys = KEYS.map(([key, does]) =>
    line(span(fit(`  ${key}`, 12), 'accent', true), span(cut(does, width - 13))),
  )
  const signs = SIGNS.map((row) => line(span(cut(`  ${row.join('   ')}`, width), 'quiet')))
  const all = keys.length + signs.length + 2 <= height ? [EMPTY, ...keys, EMPTY, ...signs] : keys
  const shown = all.slice(0, height)
  while (shown.length < height) shown.push(EMPTY)
  return shown
}
