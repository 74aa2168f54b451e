/** What is wrong with this gantry and how to mend it, and how it is. */
import type { Finding, Insights, Status } from '../../client/index.ts'
import { byteWords, shortNumber } from '../../core/text/amount.ts'
import { type FindingGroup, groupFindings, groupHead } from '../../core/text/finding-groups.ts'
import { counted } from '../../core/text/text.ts'
import { DAY_MS } from '../../core/time/days.ts'
import { type Asked, useCall } from '../live/call.ts'
import { useClock } from '../live/clock.ts'
import { useFresh } from '../live/fresh.ts'
import { Age } from '../parts/age.tsx'
import { Command } from '../parts/empty.tsx'
import { type Figure, Figures } from '../parts/figures.tsx'
import { shown, wholeOrNone } from '../parts/format.ts'
import { LevelMark, Section, Titled } from '../parts/section.tsx'
import { commandsIn } from './fix.ts'

const LEVELS = ['fail', 'warn', 'ok'] as const

export default function Doctor() {
  const findings = useFresh('doctor', {})
  const status = useFresh('status', {})
  const insights = useCall('insights', SINCE)
  return (
    <>
      <h1 className="view-title">Doctor</h1>
      {status.data ? <Figures all={figuresOf(status.data, latencyOf(insights))} /> : null}
      <Section title="Findings" asked={findings} note={summaryOf(findings.data)}>
        {(all) => <Findings all={all} />}
      </Section>
      <Titled title="In a terminal" note="also looks at the agents' settings, folders and the whole journal">
        <div className="actions">
          <Command>gantry doctor</Command>
          <Command>gantry doctor --deep</Command>
        </div>
      </Titled>
      {status.data ? <Places status={status.data} /> : null}
    </>
  )
}

/** Of the day before the page was opened: the same question again would cost a process each time. */
const SINCE = { since: Date.now() - DAY_MS }

function Findings({ all }: { readonly all: readonly Finding[] }) {
  const groups = groupFindings(all)
  if (groups.length === 0)
    return (
      <p className="good">
        <LevelMark level="ok" /> The daemon knows of no problem.
      </p>
    )
  const sorted = LEVELS.flatMap((level) => groups.filter(({ example }) => example.level === level))
  return (
    <ul className="findings">
      {sorted.map((group, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what a message says of time changes
        <FindingItem key={i} group={group} />
      ))}
    </ul>
  )
}

function FindingItem({ group }: { readonly group: FindingGroup<Finding> }) {
  const { level, about, message, fix } = group.example
  const head = useClock((now) => groupHead(group, now))
  const commands = fix === undefined ? [] : commandsIn(fix)
  const isBare = commands.length === 1 && commands[0] === fix
  return (
    <li className={level}>
      <LevelMark level={level} />
      <div>
        <p>
          <b>{shown(about)}</b> {group.all.length > 1 ? <span>{head} </span> : null}
          {shown(message)}
        </p>
        {fix === undefined || isBare ? null : (
          <p className="fix">
            <span aria-hidden="true">→ </span>
            {shown(fix)}
          </p>
        )}
        {commands.length === 0 ? null : (
          <div className="actions">
            {commands.map((command) => (
              <Command key={command}>{command}</Command>
            ))}
          </div>
        )}
      </div>
    </li>
  )
}

function summaryOf(all: readonly Finding[] | undefined): string | undefined {
  if (!all) return undefined
  const count = (level: Finding['level']) => all.filter((one) => one.level === level).length
  const parts = [
    count('fail') > 0 ? counted(count('fail'), 'failure') : '',
    count('warn') > 0 ? counted(count('warn'), 'warning') : '',
  ]
  return parts.filter(Boolean).join(', ') || undefined
}

function latencyOf({ data, state }: Asked<Insights>): string {
  if (data === undefined) return state === 'loading' ? '…' : '–'
  const { count, p50Ms, p99Ms } = data.hooks.arrival
  return count > 0 ? `${wholeOrNone(p50Ms)} / ${wholeOrNone(p99Ms)}` : '–'
}

/** Nine, whatever is known. */
function figuresOf(status: Status, latency: string): Figure[] {
  return [
    { name: 'Version', value: status.version },
    { name: 'Up for', value: <Age since={status.startedAt} /> },
    { name: 'Events', value: shortNumber(status.events) },
    { name: 'Spooled', value: shortNumber(status.spooled), tone: status.spooled > 0 ? 'need' : undefined },
    { name: 'Lost', value: shortNumber(status.lost), tone: status.lost > 0 ? 'error' : undefined },
    {
      name: 'Missed decisions',
      value: shortNumber(status.missed),
      tone: status.missed > 0 ? 'need' : undefined,
    },
    { name: 'Database', value: byteWords(status.databaseBytes) },
    { name: 'Memory', value: byteWords(status.memoryBytes) },
    { name: 'Hook p50 / p99', value: latency, about: 'last day' },
  ]
}

function Places({ status }: { readonly status: Status }) {
  const rows = [
    ['Socket', status.socket],
    ['Page', status.http],
    ['Database', status.database],
    ['Configuration', status.config],
    ['Log', status.log],
    ['NATS', status.nats],
    ['Process', String(status.pid)],
  ] as const
  return (
    <Titled title="Where it is">
      <dl className="pairs">
        {rows.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{shown(value)}</dd>
            </div>
          ),
        )}
      </dl>
    </Titled>
  )
}
