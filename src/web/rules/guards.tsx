/** The built-in guards: mode, how often and when each found something, and what the agent can do instead. */
import { useState } from 'react'
import type { GuardList } from '../../client/index.ts'
import { useFresh } from '../live/fresh.ts'
import { Age } from '../parts/age.tsx'
import { Chip } from '../parts/controls.tsx'
import { Command } from '../parts/empty.tsx'
import { shown } from '../parts/format.ts'
import { Section } from '../parts/section.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Decision } from './marks.tsx'

type Guard = GuardList['guards'][number]

export function Guards() {
  const list = useFresh('guards.list', {})
  const [onlyHits, setOnlyHits] = useState(false)
  return (
    <Section
      title="Guards"
      note={list.data ? `preset ${list.data.preset}${list.data.one_strike ? ', one strike' : ''}` : undefined}
      asked={list}
    >
      {({ preset, guards }) => {
        const hit = guards.filter(({ hits }) => hits > 0)
        const rows = [...(onlyHits ? hit : guards)].sort((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0))
        return (
          <>
            {preset === 'off' ? (
              <div className="nothing-here">
                <p className="quiet">
                  They stop commands that destroy data, leak credentials or take over the machine.{' '}
                  <b>standard</b> denies catastrophes and asks about risks; <b>watch</b> only counts.
                </p>
                <Command>gantry guards preset standard</Command>
              </div>
            ) : null}
            <div className="chips">
              <Chip on={!onlyHits} onClick={() => setOnlyHits(false)}>
                all {guards.length}
              </Chip>
              <Chip on={onlyHits} onClick={() => setOnlyHits(true)}>
                found something {hit.length}
              </Chip>
              {onlyHits ? <Chip>hidden: {guards.length - hit.length} without a hit</Chip> : null}
            </div>
            {rows.length === 0 ? (
              <p className="quiet">No guard has found anything yet.</p>
            ) : (
              <Table label="Guards" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
            )}
          </>
        )
      }}
    </Section>
  )
}

const COLUMNS: readonly Column<Guard>[] = [
  { name: 'Guard', cell: ({ id }) => <b className="nowrap">{id}</b> },
  {
    name: 'Mode',
    cell: ({ mode, own }) => (
      <>
        <Decision of={mode} />
        {own ? <span className="quiet"> (yours)</span> : null}
      </>
    ),
  },
  { name: 'Hits', number: true, cell: ({ hits }) => hits.toLocaleString('en') },
  {
    name: 'Last',
    number: true,
    cell: ({ lastAt }) => (lastAt === null ? <span className="quiet">never</span> : <Age since={lastAt} />),
  },
  {
    name: 'Protects from',
    cell: ({ about, instead }) => (
      <div className="wraps">
        {shown(about)}
        <div className="quiet">Instead: {shown(instead)}</div>
      </div>
    ),
  },
]
