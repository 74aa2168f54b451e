/** Runs SQL on the journal, read-only, in a separate process. */
import { call, type QueryAnswer } from '../../client/index.ts'
import type { Input } from '../framework/define.ts'
import { columns, cut, dim, out, outJson, padTo, plain, widthOf } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

const MAX_ROWS = 100_000 // the daemon's own limit of one answer

export async function run({
  args: { sql },
  flags: { limit, json },
  places,
}: Input<typeof commands.query>): Promise<number> {
  if (sql.trim() === '') throw usageError('The SQL is empty. See: gantry query --help')
  const answer = await call(places, 'query', { sql, limit })
  if (json) return outJson(answer.rows.map((row) => objectOf(answer.columns, row)))
  table(answer, limit)
  return 0
}

function objectOf(names: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name, i) => [name, row[i]]))
}

const WIDEST = 48 // columns; in a pipe a longer value widens no other row

/** On a terminal values are cut to its width; a pipe gets them whole. */
function table({ columns: names, rows, more }: QueryAnswer, limit: number): void {
  const text = rows.map((row) => row.map((value) => (value === null ? '' : plain(String(value)))))
  const needed = names.map((name, i) =>
    text.reduce((most, row) => Math.max(most, widthOf(row[i] ?? '')), widthOf(name)),
  )
  const all = columns(Number.POSITIVE_INFINITY)
  const isWhole = all === Number.POSITIVE_INFINITY
  const fits = needed.reduce((sum, width) => sum + width + 2, -2) <= all
  const room = isWhole ? WIDEST : Math.max(20, Math.floor(all / Math.max(1, names.length)) - 2) // any whole number has 20
  const widths = needed.map((width) => (fits && !isWhole ? width : Math.min(room, width)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => padTo(isWhole ? cell : cut(cell, widths[i] ?? 0), widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  out(dim(line(names)))
  for (const row of text) out(line(row))
  const how =
    limit < MAX_ROWS ? '; raise --limit to see them' : ', which is the most; add a WHERE to see the others'
  if (more) out(dim(`… more rows than ${rows.length}${how}`))
}
