/** Who answers hooks by itself: rules and guards, why an event was answered so, and what a draft would do. */
import type { CounterView, RuleView } from '../../client/index.ts'
import { useFresh } from '../live/fresh.ts'
import { Age } from '../parts/age.tsx'
import { Command } from '../parts/empty.tsx'
import { shown } from '../parts/format.ts'
import { Section } from '../parts/section.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { linkTo, partsOf, usePath } from '../router.ts'
import { Draft } from './draft.tsx'
import { Guards } from './guards.tsx'
import { Decision } from './marks.tsx'
import { Why } from './why.tsx'

const TABS = [
  { at: '', name: 'Rules', view: Rules },
  { at: 'guards', name: 'Guards', view: Guards },
  { at: 'why', name: 'Why', view: Why },
  { at: 'draft', name: 'Try a draft', view: Draft },
] as const

export default function RulesView() {
  const [part = ''] = partsOf(usePath())
  const tab = TABS.find(({ at }) => at === part) ?? TABS[0]
  return (
    <>
      <h1 className="hidden-text">Rules</h1>
      <nav className="tab-row" aria-label="Parts of rules">
        {TABS.map(({ at, name }) => (
          <a
            key={at}
            {...linkTo(at === '' ? '/rules' : `/rules/${at}`)}
            aria-current={at === tab.at ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      <tab.view />
    </>
  )
}

type Row = RuleView & { readonly counter: CounterView | undefined }

function Rules() {
  const rules = useFresh('rules.list', {})
  const counters = useFresh('counters', {})
  const hits = new Map(
    (counters.data ?? []).filter(({ kind }) => kind === 'rule').map((one) => [one.key, one] as const),
  )
  return (
    <Section
      title="Rules in force"
      note="in the order they are asked; the first that denies or asks decides"
      asked={rules}
    >
      {(all) =>
        all.length === 0 ? (
          <div className="nothing-here">
            <p className="quiet">
              No rules. A rule says what happens to a tool call, a prompt or the end of a turn: deny, ask,
              allow, change, or add context. <a {...linkTo('/rules/draft')}>Write one here</a> and see what it
              would have done, or let gantry propose some from your answers:
            </p>
            <Command>gantry rules suggest</Command>
          </div>
        ) : (
          <Table
            label="Rules"
            columns={COLUMNS}
            rows={all.map((rule): Row => ({ ...rule, counter: hits.get(rule.id) }))}
            keyOf={({ id, project = '' }) => `${project} ${id}`}
          />
        )
      }
    </Section>
  )
}

/** What it does, where that is no decision. */
function effectOf({ decision, input, context, systemMessage }: RuleView): string {
  if (decision !== 'none') return decision
  return input ? 'rewrite' : context ? 'context' : systemMessage ? 'notify' : 'none'
}

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Rule',
    cell: ({ id, project }) => (
      <>
        <b>{shown(id)}</b>
        {project === undefined ? null : <div className="quiet wraps">{shown(project)}</div>}
      </>
    ),
  },
  { name: 'Does', cell: (rule) => <Decision of={effectOf(rule)} /> },
  { name: 'Hits', number: true, cell: ({ counter }) => (counter?.count ?? 0).toLocaleString('en') },
  {
    name: 'Last',
    number: true,
    cell: ({ counter }) => (counter ? <Age since={counter.lastAt} /> : <span className="quiet">never</span>),
  },
  {
    name: 'On',
    cell: ({ on, agent, tool }) => shown([[on].flat().join(', '), agent, tool].filter(Boolean).join(' ')),
  },
  {
    name: 'Says',
    cell: ({ reason, warnings = [] }) => (
      <div className="wraps">
        {reason === undefined ? null : shown(reason)}
        {warnings.map((warning) => (
          <div key={warning} className="need">
            ! {shown(warning)}
          </div>
        ))}
      </div>
    ),
  },
  { name: 'Order', number: true, cell: ({ priority }) => <span className="quiet">{priority}</span> },
]
