/**
 * Generates docs/truth.md: how often and how soon gantry showed what real agents did, as measured by the truth suite.
 */
import { type Figures, kept, type Row } from '../../test/truth/figures.ts'

const HEAD = [
  'scenario',
  'seconds',
  'right %',
  'wrong',
  'changes',
  'missed',
  'lag p50',
  'p95',
  'max',
  'own p95',
]

export function truthPage(note: string, all: readonly Figures[] = kept()): string {
  const groups = groupsOf(all)
  return [
    note,
    '# Accuracy\n',
    'Real agents run in a terminal without network, with a model on loopback. A script presses the keys, plays the model and reads',
    'the screen, so it knows what the agent does at every moment. It reads what gantry shows every 50 ms, like any view.',
    '`npm run test:agents -- truth` measures this, `-- truth --write` generates this page.\n',
    '- **right %**: share of correct readings among those where the truth is certain. A change is certain once the agent shows it',
    '  on its screen; readings between its cause and that moment are left out.',
    '- **wrong**: incorrect readings, 50 ms each. **missed**: changes that were never shown.',
    '- **lag** in ms: from the moment a change is certain until it is shown; 0 if it was shown before.',
    '- **own p95** in ms: from the moment the agent reported it, by a hook or a file, until it is shown. This is gantry alone.\n',
    'The machine was not idle: the load average is from the end of the file. A load above the number of cores makes every lag',
    "longer, the agents' own first.\n",
    '## All agents\n',
    ...table(
      ['agent', 'version', 'scenarios', ...HEAD.slice(2)],
      groups.map(({ agent, version, files }) => {
        const scenarios = files.flatMap((file) => file.scenarios)
        return [agent, version, String(scenarios.length), ...cellsOf(sumOf(files)).slice(2)]
      }),
    ),
    '',
    'The lag of several files is the largest of them.\n',
    ...groups.flatMap(({ agent, version, files }) => [
      `## ${agent} ${version}\n`,
      ...files.flatMap((file) => [
        `\`${file.file}\`, ${file.date}, ${file.cores} cores, load average ${file.load}\n`,
        ...table(HEAD, [...file.scenarios, file.total].map(cellsOf)),
        '',
      ]),
    ]),
  ].join('\n')
}

/** The result of a run, for the end of its output. */
export function truthLines(all: readonly Figures[]): string {
  const rows = all.map(({ agent, version, file, total, load }) => {
    const [, , right, wrong, changes, missed, ...lags] = cellsOf(total)
    return `${agent} ${version} ${file}: ${right} % right, ${wrong} wrong, ${missed} of ${changes} missed, lag p50 p95 max own ${lags.join(' ')} ms, load ${load}`
  })
  return rows.join('\n')
}

interface Group {
  readonly agent: string
  readonly version: string
  readonly files: readonly Figures[]
}

function groupsOf(all: readonly Figures[]): Group[] {
  const keys = [...new Set(all.map(({ agent, version }) => `${agent} ${version}`))].sort()
  return keys.map((key) => {
    const [agent = '', version = ''] = key.split(' ')
    return { agent, version, files: all.filter((one) => one.agent === agent && one.version === version) }
  })
}

function sumOf(files: readonly Figures[]): Row {
  const totals = files.map(({ total }) => total)
  const add = (pick: (row: Row) => number) => totals.reduce((sum, row) => sum + pick(row), 0)
  const most = (pick: (row: Row) => readonly number[]) =>
    [0, 1, 2].map((at) => Math.max(0, ...totals.map((row) => pick(row)[at] ?? 0)))
  return {
    name: 'total',
    seconds: add(({ seconds }) => seconds),
    right: add(({ right }) => right),
    wrong: add(({ wrong }) => wrong),
    excluded: add(({ excluded }) => excluded),
    changes: add(({ changes }) => changes),
    missed: add(({ missed }) => missed),
    lag: most(({ lag }) => lag),
    own: most(({ own }) => own),
  }
}

function cellsOf({ name, seconds, right, wrong, changes, missed, lag, own }: Row): string[] {
  const pct = right + wrong === 0 ? 0 : (100 * right) / (right + wrong)
  const figures = [wrong, changes, missed, ...lag, own[1] ?? 0].map(String)
  return [name, seconds.toFixed(1), pct.toFixed(2), ...figures]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)]
}
