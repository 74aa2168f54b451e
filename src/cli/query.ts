/** SQL on the journal, read only, in a process of its own. */
import { call, type QueryAnswer } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { type Command, countFlag } from './command.ts'
import { columns, cut, dim, out, plain } from './terminal.ts'

const MAX_ROWS = 100_000 // the daemon's own limit of one answer

export const query: Command = {
  name: 'query',
  summary: 'Ask the journal in SQL, read only',
  usage: '"<sql>" [--json]',
  takes: 1,
  options: {
    limit: { type: 'string', short: 'n', value: 'n', help: 'At most so many rows (default 1000)' },
    json: { type: 'boolean', help: 'Print an array of objects; whole numbers beyond 2^53 are text' },
  },
  examples: [
    {
      line: 'gantry query "SELECT type, count(*) AS n FROM events GROUP BY type ORDER BY n DESC"',
      does: 'How often each event came',
    },
    {
      line: `gantry query "SELECT raw ->> '$.tool_input.command' AS cmd FROM events WHERE tool_name = 'Bash'"`,
      does: 'Every shell command',
    },
  ],
  async run(input) {
    const [sql] = input.args
    if (!sql) throw new GantryError('USAGE', 'Give the SQL as one argument. See: gantry query --help')
    const limit = countFlag(input, 'limit', 1000, MAX_ROWS)
    const answer = await call(input.places, 'query', { sql, limit })
    if (input.flags.json)
      out(
        JSON.stringify(
          answer.rows.map((row) => objectOf(answer.columns, row)),
          null,
          2,
        ),
      )
    else table(answer, limit)
    return 0
  },
}

function objectOf(names: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name, i) => [name, row[i]]))
}

function table({ columns: names, rows, more }: QueryAnswer, limit: number): void {
  const text = rows.map((row) => row.map((value) => (value === null ? '' : plain(String(value)))))
  const needed = names.map((name, i) => Math.max(name.length, ...text.map((row) => row[i]?.length ?? 0)))
  const fits = needed.reduce((sum, width) => sum + width + 2, -2) <= columns()
  const room = Math.max(20, Math.floor(columns() / Math.max(1, names.length)) - 2) // any whole number has 20
  const widths = needed.map((width) => (fits ? width : Math.min(room, width)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cut(cell, widths[i] ?? 0).padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  out(dim(line(names)))
  for (const row of text) out(line(row))
  const how =
    limit < MAX_ROWS ? '; raise --limit to see them' : ', which is the most; add a WHERE to see the others'
  if (more) out(dim(`… more rows than ${rows.length}${how}`))
}
