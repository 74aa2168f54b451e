/** Where time and money went. */
import { useState } from 'react'
import { shortCost, shortNumber, tookWords } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import { useKeys } from '../keys.ts'
import { useCall } from '../live/call.ts'
import { Button, Chip } from '../parts/controls.tsx'
import { Command, Empty } from '../parts/empty.tsx'
import { Figures } from '../parts/figures.tsx'
import { spentOrNone, wholeOrNone } from '../parts/format.ts'
import { go, linkTo, useQuery } from '../router.ts'
import { Cost } from './cost.tsx'
import { Heat } from './heat.tsx'
import { type Insights as Data, shareWords } from './sums.ts'
import { Days, Projects, Waits } from './time.tsx'
import { Coverage, Hooks, Missed, Tools } from './tools.tsx'

/** Whole days by the daemon's clock, today among them: that of the browser may be of another time zone. */
const PERIODS = { '1d': 1, '7d': 7, '30d': 30 } as const
type Period = keyof typeof PERIODS
const WORDS: Readonly<Record<Period, string>> = { '1d': 'today', '7d': '7 days', '30d': '30 days' }

export default function Insights() {
  const asked = useQuery().get('period')
  const period = (Object.keys(PERIODS) as Period[]).find((one) => one === asked) ?? '7d'
  const [look, setLook] = useState({ at: Date.now() })
  const again = () => setLook({ at: Date.now() })
  const answer = useCall('insights', { days: PERIODS[period] }, look)
  const choose = (one: Period) => go(one === '7d' ? '/insights' : `/insights?period=${one}`, 'replace')
  useKeys([
    {
      keys: ['f'],
      does: 'next period',
      run: () => {
        const all = Object.keys(PERIODS) as Period[]
        choose(all[(all.indexOf(period) + 1) % all.length] ?? '7d')
      },
    },
    { keys: ['r'], does: 'look again', run: again },
  ])
  const { data } = answer
  return (
    <>
      <div className="bar">
        <h1>Insights</h1>
        <div className="chips">
          {(Object.keys(PERIODS) as Period[]).map((one) => (
            <Chip key={one} on={one === period} onClick={() => choose(one)}>
              {WORDS[one]}
            </Chip>
          ))}
          {data?.left ? (
            <Chip title="A shorter period shows all of it">
              hidden: {shortNumber(data.left.events)} events
              {data.left.before ? ` before ${dateWords(data.left.before)}` : ''}
              {data.left.after ? ` after ${dateWords(data.left.after)}` : ''}
            </Chip>
          ) : null}
          <Button hint="r" onClick={again} disabled={answer.state === 'loading'}>
            {answer.state === 'loading' && data ? 'Looking…' : 'Look again'}
          </Button>
        </div>
      </div>
      {answer.state === 'failed' ? <p className="error">{answer.error.message}</p> : null}
      {data ? (
        data.events === 0 ? (
          <Nothing period={period} onMore={() => choose('30d')} />
        ) : (
          <Charts data={data} isOld={answer.state === 'loading'} />
        )
      ) : answer.state === 'loading' ? (
        <p className="waits">Reading the journal…</p>
      ) : null}
    </>
  )
}

function Charts({ data, isOld }: { readonly data: Data; readonly isOld: boolean }) {
  return (
    <div className={isOld ? 'insights old' : 'insights'} aria-busy={isOld}>
      <Totals data={data} />
      <Days data={data} />
      <Heat data={data} />
      <Waits data={data} />
      <Projects data={data} />
      <Cost data={data} />
      <Hooks data={data} />
      <Tools data={data} />
      <Missed data={data} />
      <Coverage since={data.since} />
    </div>
  )
}

function Totals({ data }: { readonly data: Data }) {
  const { time, waits, tools, hooks } = data
  const all = time.workedMs + time.waitedMs + time.idleMs
  const calls = tools.reduce((sum, one) => sum + one.calls, 0)
  const failures = tools.reduce((sum, one) => sum + one.failures, 0)
  const cost = data.cost.reduce((sum, { costUsd }) => sum + costUsd, 0)
  const { p50Ms, p99Ms } = hooks.arrival
  return (
    <Figures
      all={[
        {
          name: 'Worked',
          value: spentOrNone(time.workedMs),
          about: `${shareWords(time.workedMs, all)} of the time`,
        },
        {
          name: 'Waited for you',
          value: spentOrNone(time.waitedMs),
          about: counted(waits.count, 'time'),
          tone: 'need',
        },
        { name: 'Idle', value: spentOrNone(time.idleMs), about: counted(data.sessions, 'session') },
        { name: 'Cost', value: shortCost(cost), about: costFrom(data) },
        {
          name: 'Tool calls',
          value: shortNumber(calls),
          about: failures === 0 ? 'none failed' : `${shareWords(failures, calls)} failed`,
        },
        {
          name: 'Hook p99',
          value: wholeOrNone(p99Ms),
          about: p50Ms === null ? 'no hook was measured' : `half under ${tookWords(Math.max(1, p50Ms))}`,
        },
      ]}
    />
  )
}

function costFrom({ cost }: Data): string {
  if (cost.length === 0) return 'no price is known'
  return cost.some(({ requests }) => requests > 0) ? 'as transcripts tell' : 'as agents tell'
}

function Nothing({ period, onMore }: { readonly period: Period; readonly onMore: () => void }) {
  return (
    <Empty title="Nothing happened in this time">
      <p>Where time and money went is shown as soon as agents work. To connect them:</p>
      <Command>gantry install</Command>
      <div className="actions">
        {period === '30d' ? null : <Button onClick={onMore}>Look at 30 days</Button>}
        <a {...linkTo('/journal')}>All events there are</a>
      </div>
    </Empty>
  )
}

function dateWords(at: number): string {
  return new Date(at).toLocaleDateString('en', { day: 'numeric', month: 'short' })
}
