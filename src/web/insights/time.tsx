/** Where the time went: by day and by project, and when agents waited for a person. */
import { counted } from '../../core/text/text.ts'
import { shown, spentOrNone, tookOrNone } from '../parts/format.ts'
import { Table } from '../parts/table.tsx'
import { linkTo, sessionPath } from '../router.ts'
import { DayBars, LyingBar, Numbers, Panel, type Piece } from './bars.tsx'
import { dayWords, everyDay, type Insights } from './sums.ts'

type Spent = Insights['time']

const MAX_PROJECTS = 12
const MAX_WAITS = 8

function piecesOf({ workedMs, waitedMs, idleMs }: Spent): Piece[] {
  return [
    { kind: 'worked', value: workedMs, words: `worked ${spentOrNone(workedMs)}` },
    { kind: 'waited', value: waitedMs, words: `waited for you ${spentOrNone(waitedMs)}` },
    { kind: 'idle', value: idleMs, words: `idle ${spentOrNone(idleMs)}` },
  ]
}

export function Days({ data }: { readonly data: Insights }) {
  const days = everyDay(data.days, data, (day) => ({
    ...{ day, workedMs: 0, waitedMs: 0, idleMs: 0, prompts: 0, toolCalls: 0 },
  }))
  const stacks = days.map((one) => ({ key: one.day, label: dayWords(one.day), pieces: piecesOf(one) }))
  const most = Math.max(...days.map(({ workedMs, waitedMs, idleMs }) => workedMs + waitedMs + idleMs))
  const late = data.days.filter(({ day }) => day < (days[0]?.day ?? ''))
  const lateMs = late.reduce((sum, one) => sum + one.workedMs + one.waitedMs + one.idleMs, 0)
  return (
    <Panel title="Where the time went" about="all sessions together, by day">
      <Legend />
      <DayBars stacks={stacks} top={spentOrNone(most)} />
      {lateMs > 0 ? (
        <p className="quiet">
          Not drawn: {spentOrNone(lateMs)} of {counted(late.length, 'earlier day')}, reported within this
          time.
        </p>
      ) : null}
      <Numbers>
        <Table
          label="Time by day"
          rows={days}
          keyOf={({ day }) => day}
          columns={[
            { name: 'Day', cell: ({ day }) => day },
            { name: 'Worked', number: true, cell: ({ workedMs }) => spentOrNone(workedMs) },
            { name: 'Waited for you', number: true, cell: ({ waitedMs }) => spentOrNone(waitedMs) },
            { name: 'Idle', number: true, cell: ({ idleMs }) => spentOrNone(idleMs) },
            { name: 'Prompts', number: true, cell: ({ prompts }) => prompts },
            { name: 'Tool calls', number: true, cell: ({ toolCalls }) => toolCalls },
          ]}
        />
      </Numbers>
    </Panel>
  )
}

function Legend() {
  return (
    <ul className="legend">
      <li>
        <i className="worked" /> worked
      </li>
      <li>
        <i className="waited" /> waited for you
      </li>
      <li>
        <i className="idle" /> idle
      </li>
    </ul>
  )
}

export function Projects({ data }: { readonly data: Insights }) {
  const projects = data.projects.slice(0, MAX_PROJECTS)
  const total = ({ workedMs, waitedMs, idleMs }: Spent) => workedMs + waitedMs + idleMs
  const most = Math.max(...projects.map(total))
  return (
    <Panel title="Projects" about={cutWords(data.projects.length, MAX_PROJECTS)}>
      <Table
        label="Time by project"
        rows={projects}
        keyOf={({ project }) => project}
        columns={[
          { name: 'Project', cell: ({ project }) => <span className="name">{shown(project) || '–'}</span> },
          { name: 'Share', cell: (one) => <LyingBar pieces={piecesOf(one)} most={most} /> },
          { name: 'Worked', number: true, cell: ({ workedMs }) => spentOrNone(workedMs) },
          {
            name: 'Waited',
            number: true,
            cell: ({ waitedMs }) => (
              <span className={waitedMs > 0 ? 'need' : 'quiet'}>{spentOrNone(waitedMs)}</span>
            ),
          },
          {
            name: 'Idle',
            number: true,
            cell: ({ idleMs }) => <span className="quiet">{spentOrNone(idleMs)}</span>,
          },
          { name: 'Sessions', number: true, cell: ({ sessions }) => sessions },
        ]}
      />
    </Panel>
  )
}

export function Waits({ data: { waits } }: { readonly data: Insights }) {
  if (waits.count === 0)
    return (
      <Panel title="Waits for you">
        <p className="quiet">No agent waited for you in this time.</p>
      </Panel>
    )
  const about = `${counted(waits.count, 'wait')}, half of them under ${tookOrNone(waits.p50Ms)}, 95% under ${tookOrNone(waits.p95Ms)}`
  return (
    <Panel title="Waits for you" about={about}>
      <Table
        label="The longest waits"
        rows={waits.longest.slice(0, MAX_WAITS)}
        keyOf={({ session, at }) => `${session} ${at}`}
        columns={[
          { name: 'Waited', number: true, cell: ({ ms }) => <span className="need">{spentOrNone(ms)}</span> },
          {
            name: 'Session',
            cell: ({ session, name }) => (
              <a className="name" {...linkTo(sessionPath(session))}>
                {shown(name ?? session)}
              </a>
            ),
          },
          { name: 'For', cell: ({ kind, tool }) => [kind, shown(tool ?? '')].filter(Boolean).join(' · ') },
          {
            name: 'Since',
            number: true,
            cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{whenWords(at)}</time>,
          },
        ]}
      />
    </Panel>
  )
}

function whenWords(at: number): string {
  return new Date(at).toLocaleString('en', {
    ...{
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hour12: false,
    },
  })
}

export function cutWords(count: number, most: number): string | undefined {
  return count > most ? `the first ${most} of ${count}` : undefined
}
