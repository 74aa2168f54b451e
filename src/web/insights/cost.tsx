/** What it cost, by day, project and model, as transcripts tell, else agents themselves. */
import { shortCost, shortNumber } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import { Command } from '../parts/empty.tsx'
import { shown } from '../parts/format.ts'
import { Table } from '../parts/table.tsx'
import { DayBars, LyingBar, Numbers, Panel } from './bars.tsx'
import { type CostSum, costBy, dayWords, everyDay, type Insights } from './sums.ts'
import { cutWords } from './time.tsx'

const MAX_ROWS = 8

export function Cost({ data }: { readonly data: Insights }) {
  if (data.cost.length === 0)
    return (
      <Panel title="Cost">
        <p className="quiet">
          No transcript of this time tells of tokens, and no agent told its cost. By turn and model of one
          session:
        </p>
        <Command>{'gantry session <name> --usage'}</Command>
      </Panel>
    )
  const byDay = costBy(data.cost, ({ day }) => day).map((sum) => ({ ...sum, day: sum.name }))
  const days = everyDay(byDay, data, (day) => ({
    ...{ day, name: day, costUsd: 0, requests: 0, tokens: 0, unpriced: 0 },
  }))
  const total = byDay.reduce((sum, { costUsd }) => sum + costUsd, 0)
  const unpriced = byDay.reduce((sum, one) => sum + one.unpriced, 0)
  const stacks = days.map(({ day, costUsd }) => ({
    ...{ key: day, label: dayWords(day) },
    pieces: [{ kind: 'cost', value: costUsd, words: shortCost(costUsd) }],
  }))
  return (
    <>
      <Panel
        title="Cost"
        about={`${shortCost(total)}${unpriced > 0 ? `, without ${counted(unpriced, 'request')} of unknown price` : ''}`}
      >
        <DayBars stacks={stacks} top={shortCost(Math.max(...days.map(({ costUsd }) => costUsd)))} />
        <Numbers>
          <Sums label="Cost by day" name="Day" rows={days} />
        </Numbers>
      </Panel>
      <Names title="Cost by project" name="Project" rows={costBy(data.cost, ({ project }) => project)} />
      <Names
        title="Cost by model"
        name="Model"
        rows={costBy(data.cost, ({ model, agent }) => model || agent)}
      />
    </>
  )
}

function Names({
  title,
  name,
  rows,
}: {
  readonly title: string
  readonly name: string
  readonly rows: readonly CostSum[]
}) {
  return (
    <Panel title={title} about={cutWords(rows.length, MAX_ROWS)}>
      <Sums label={`${title}, numbers`} name={name} rows={rows.slice(0, MAX_ROWS)} />
    </Panel>
  )
}

function Sums({
  label,
  name,
  rows,
}: {
  readonly label: string
  readonly name: string
  readonly rows: readonly CostSum[]
}) {
  const most = Math.max(...rows.map(({ costUsd }) => costUsd))
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={(row) => row.name}
      columns={[
        { name, cell: (row) => <span className="name">{shown(row.name)}</span> },
        {
          name: 'Share',
          cell: ({ costUsd }) => (
            <LyingBar pieces={[{ kind: 'cost', value: costUsd, words: shortCost(costUsd) }]} most={most} />
          ),
        },
        { name: 'Cost', number: true, cell: ({ costUsd }) => shortCost(costUsd) },
        { name: 'Requests', number: true, cell: ({ requests }) => countWords(requests) },
        { name: 'Tokens', number: true, cell: ({ tokens }) => countWords(tokens) },
      ]}
    />
  )
}

/** Agents that tell only their cost tell no tokens. */
function countWords(count: number): string {
  return count === 0 ? '–' : shortNumber(count)
}
