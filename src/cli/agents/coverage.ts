/** Which tool calls gantry could decide about, which it only saw, and which it missed, with the reasons. */
import { type Coverage, type CoverageRow, call } from '../../client/index.ts'
import type { Input } from '../framework/define.ts'
import {
  ago,
  bold,
  columns,
  cut,
  dim,
  green,
  out,
  outJson,
  padTo,
  paragraph,
  plain,
  red,
  yellow,
} from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function run({ flags, places }: Input<typeof commands.coverage>): Promise<number> {
  const coverage = await call(places, 'coverage', { since: flags.since })
  if (flags.json) return outJson(coverage)
  if (coverage.rows.length > 0) showRows(coverage.rows)
  else out(paragraph('', NO_CALL))
  if (coverage.missed.length > 0) showMissed(coverage.missed)
  else out(dim('No decision was missed.'))
  return 0
}

const NO_CALL =
  'No tool call since then. Start an agent whose hooks are wired; "gantry doctor" shows which are.'

const LEVELS = {
  guarded: { word: 'guarded', paint: green },
  observed: { word: 'observed only', paint: yellow },
  blind: { word: 'blind', paint: red },
} as const

function showRows(rows: readonly CoverageRow[]): void {
  const cells = rows.map((row) => [`${row.agent} ${row.version ?? ''}`.trim(), row.tool].map(plain))
  const needed = (i: number) => Math.max(HEAD[i]?.length ?? 0, ...cells.map((cell) => cell[i]?.length ?? 0))
  const room = Math.max(LEAST_TOOL, columns(Number.POSITIVE_INFINITY) - needed(0) - REST_WIDTH)
  const widths = [needed(0), Math.min(needed(1), room)]
  const line = (texts: readonly string[]) =>
    texts.map((text, i) => padTo(cut(text, widths[i] ?? 0), widths[i] ?? 0)).join('  ')
  out(dim(`${line(HEAD)}  ${padTo('', LEVEL_WIDTH)} GUARDED OBSERVED   BLIND  LAST`))
  for (const [i, row] of rows.entries()) {
    const { word, paint } = LEVELS[row.level]
    const counts = [row.guarded, row.observed, row.blind]
      .map((count, n) => (count === 0 && n > 0 ? '·' : String(count)).padStart(n === 0 ? 7 : n === 1 ? 8 : 7))
      .join(' ')
    out(`${line(cells[i] ?? [])}  ${paint(padTo(word, LEVEL_WIDTH))} ${counts}  ${dim(ago(row.lastAt))}`)
  }
  for (const says of new Set(rows.flatMap((row) => row.says ?? []))) {
    const about = rows.filter((row) => row.says === says).map(({ agent, tool }) => `${agent} ${tool}`)
    out(paragraph(`${yellow('!')} `, plain(`${[...new Set(about)].join(', ')}: ${says}`)))
  }
}

const HEAD = ['AGENT', 'TOOL']
const LEVEL_WIDTH = 'observed only'.length
const REST_WIDTH = LEVEL_WIDTH + '     GUARDED OBSERVED   BLIND  999d ago'.length // beside agent and tool
const LEAST_TOOL = 8 // columns

function showMissed(missed: Coverage['missed']): void {
  out(`\n${bold('Missed decisions')}`)
  for (const { about, count, says, fix, lastAt } of missed) {
    out(paragraph(`${String(count).padStart(6)}  `, `${plain(about)}: ${plain(says)} (last ${ago(lastAt)})`))
    out(paragraph('        → ', fix, dim))
  }
}
