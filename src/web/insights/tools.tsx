/** Tools: how often, how long, how often in vain; and what hooks could decide about them. */
import { useState } from 'react'
import { factsOf } from '../../agents/facts.ts'
import { shortNumber } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import { useCall } from '../live/call.ts'
import { Button } from '../parts/controls.tsx'
import { shown, spentOrNone, tookOrNone, wholeOrNone } from '../parts/format.ts'
import { Glyph } from '../parts/mark.tsx'
import { Table } from '../parts/table.tsx'
import { linkTo } from '../router.ts'
import { LyingBar, Panel } from './bars.tsx'
import { type Insights, shareWords } from './sums.ts'

const FEW = 12

export function Tools({ data: { tools } }: { readonly data: Insights }) {
  const [all, setAll] = useState(false)
  const rows = all ? tools : tools.slice(0, FEW)
  const most = Math.max(...tools.map(({ calls }) => calls))
  if (tools.length === 0)
    return (
      <Panel title="Tools" wide>
        <p className="quiet">No tool was called in this time.</p>
      </Panel>
    )
  return (
    <Panel title="Tools" about="durations of calls that waited for nobody" wide>
      <Table
        label="Calls by tool"
        rows={rows}
        keyOf={({ agent, tool }) => `${agent} ${tool}`}
        columns={[
          {
            name: 'Tool',
            cell: ({ agent, tool }) => (
              <span className="name">
                {factsOf(agent).id === '' ? null : <Glyph agent={agent} />}{' '}
                <a {...linkTo(`/journal?${new URLSearchParams({ agent, tool })}`)}>{shown(tool)}</a>
              </span>
            ),
          },
          {
            name: 'Share',
            cell: ({ calls, failures, denied }) => (
              <LyingBar
                most={most}
                pieces={[
                  { kind: 'worked', value: calls - failures - denied, words: counted(calls, 'call') },
                  { kind: 'failed', value: failures, words: `${failures} failed` },
                  { kind: 'denied', value: denied, words: `${denied} denied` },
                ]}
              />
            ),
          },
          { name: 'Calls', number: true, cell: ({ calls }) => shortNumber(calls) },
          {
            name: 'Failed',
            number: true,
            cell: ({ failures, calls }) => (
              <span className={failures > 0 ? 'error' : 'quiet'}>
                {failures === 0 ? '–' : `${failures} · ${shareWords(failures, calls)}`}
              </span>
            ),
          },
          { name: 'Denied', number: true, cell: ({ denied }) => (denied === 0 ? '–' : denied) },
          { name: 'p50', number: true, cell: ({ p50Ms }) => tookOrNone(p50Ms) },
          { name: 'p95', number: true, cell: ({ p95Ms }) => tookOrNone(p95Ms) },
          {
            name: 'In all',
            number: true,
            cell: ({ totalMs }) => (totalMs < 60_000 ? tookOrNone(totalMs) : spentOrNone(totalMs)),
          },
        ]}
      />
      {tools.length > FEW ? (
        <Button aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Fewer' : `hidden: ${tools.length - FEW} tools with fewer calls`}
        </Button>
      ) : null}
    </Panel>
  )
}

export function Hooks({ data: { hooks } }: { readonly data: Insights }) {
  const rows = [
    {
      name: 'hook to daemon',
      about: 'from the start of the hook client until the daemon had it',
      ...hooks.arrival,
    },
    { name: 'decision', about: 'from then until it was answered, people included', ...hooks.decision },
  ]
  return (
    <Panel title="Hooks" about="how long agents waited for gantry">
      <Table
        label="Latency of hooks"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { name: 'What', cell: ({ name, about }) => <span title={about}>{name}</span> },
          { name: 'Hooks', number: true, cell: ({ count }) => shortNumber(count) },
          { name: 'p50', number: true, cell: ({ p50Ms }) => wholeOrNone(p50Ms) },
          { name: 'p99', number: true, cell: ({ p99Ms }) => wholeOrNone(p99Ms) },
          { name: 'Longest', number: true, cell: ({ maxMs }) => wholeOrNone(maxMs) },
        ]}
      />
    </Panel>
  )
}

export function Missed({ data: { missed } }: { readonly data: Insights }) {
  const count = missed.reduce((sum, one) => sum + one.count, 0)
  return (
    <Panel
      title="Missed decisions"
      about={count === 0 ? undefined : `${shortNumber(count)} since gantry counts`}
    >
      {missed.length === 0 ? (
        <p className="done">✓ Every decision was made in time and reached its agent.</p>
      ) : (
        <Table
          label="Decisions that were missed"
          rows={missed}
          keyOf={({ about, reason }) => `${about} ${reason}`}
          columns={[
            { name: 'About', cell: ({ about }) => shown(about) },
            { name: 'Why, and what to do', cell: ({ says, fix }) => `${shown(says)}. ${shown(fix)}` },
            {
              name: 'Count',
              number: true,
              cell: (one) => <span className="error">{shortNumber(one.count)}</span>,
            },
          ]}
        />
      )}
    </Panel>
  )
}

/** Which calls hooks could decide about. */
export function Coverage({ since }: { readonly since: number }) {
  const asked = useCall('coverage', { since })
  const rows = asked.data?.rows ?? []
  const sum = (pick: 'guarded' | 'observed' | 'blind') => rows.reduce((all, row) => all + row[pick], 0)
  const [guarded, observed, blind] = [sum('guarded'), sum('observed'), sum('blind')]
  const total = guarded + observed + blind
  const gaps = rows.filter(({ level }) => level !== 'guarded').slice(0, FEW)
  return (
    <Panel title="Coverage" about={total === 0 ? undefined : counted(total, 'tool call')}>
      {asked.state === 'failed' ? <p className="error">{asked.error.message}</p> : null}
      {total === 0 ? (
        <p className="quiet">{asked.state === 'loading' ? 'Looking…' : 'No tool call in this time.'}</p>
      ) : (
        <>
          <LyingBar
            most={total}
            pieces={[
              { kind: 'worked', value: guarded, words: `${guarded} guarded` },
              { kind: 'waited', value: observed, words: `${observed} only observed` },
              { kind: 'failed', value: blind, words: `${blind} unseen` },
            ]}
          />
          <p>{coverageWords(guarded, observed, blind)}</p>
          {gaps.length === 0 ? null : (
            <Table
              label="Tools that are not guarded"
              rows={gaps}
              keyOf={({ agent, version, tool }) => `${agent} ${version} ${tool}`}
              columns={[
                { name: 'Tool', cell: ({ agent, tool }) => `${agent} ${shown(tool)}` },
                { name: 'Observed', number: true, cell: (row) => row.observed },
                { name: 'Unseen', number: true, cell: (row) => row.blind },
                { name: 'Why', cell: ({ says }) => shown(says ?? '') },
              ]}
            />
          )}
        </>
      )}
    </Panel>
  )
}

function coverageWords(guarded: number, observed: number, blind: number): string {
  const total = guarded + observed + blind
  return [
    guarded > 0 && `${shareWords(guarded, total)} guarded: a hook came first and could be answered`,
    observed > 0 && `${shareWords(observed, total)} only observed`,
    blind > 0 && `${shareWords(blind, total)} seen by no hook`,
  ]
    .filter(Boolean)
    .join(' · ')
}
