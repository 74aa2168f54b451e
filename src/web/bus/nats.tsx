/** The connection to NATS, and how far its streams are behind the journal. */
import type { BusStatus, NatsStatus } from '../../client/index.ts'
import { ageWords } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import type { Asked } from '../live/call.ts'
import { Command } from '../parts/empty.tsx'
import { shown } from '../parts/format.ts'
import { Section } from '../parts/section.tsx'
import { type Column, Table } from '../parts/table.tsx'

export function Nats({ status }: { readonly status: Asked<BusStatus> }) {
  return (
    <Section title="NATS JetStream" asked={status}>
      {({ nats }) =>
        nats === undefined ? <p className="quiet">Not built into this gantry.</p> : <State nats={nats} />
      }
    </Section>
  )
}

function State({ nats }: { readonly nats: NatsStatus }) {
  const { mode, why, connected, url, serverVersion, problem, streams } = nats
  if (mode === 'off')
    return (
      <div className="nothing-here">
        <p className="quiet">
          Off{why === null ? '' : `: ${shown(why)}`}. With it, other programs and hosts get every event.
        </p>
        <Command>gantry config set nats.mode managed</Command>
      </div>
    )
  return (
    <>
      <p>
        {connected ? (
          <span className="work">● connected</span>
        ) : (
          <span className="error">✖ not connected</span>
        )}
        <span className="quiet">
          {' '}
          {[mode, url, serverVersion === null ? '' : `nats-server ${serverVersion}`]
            .filter(Boolean)
            .map(String)
            .map(shown)
            .join(' · ')}
        </span>
      </p>
      {problem === null ? null : <p className="error">{shown(problem)}</p>}
      <Table label="Streams on NATS" columns={COLUMNS} rows={streams} keyOf={({ name }) => name} />
    </>
  )
}

const COLUMNS: readonly Column<NatsStatus['streams'][number]>[] = [
  { name: 'Stream', cell: ({ name, exists }) => <b>{exists ? name : `${name} (not there)`}</b> },
  { name: 'Messages', number: true, cell: ({ messages }) => messages.toLocaleString('en') },
  {
    name: 'Behind',
    cell: ({ backlog, lagMs }) =>
      backlog === 0 ? (
        <span className="quiet">up to date</span>
      ) : (
        <span className="need">
          {counted(backlog, 'message')}, for {ageWords(lagMs)}
        </span>
      ),
  },
  { name: 'Dead letters', number: true, cell: ({ deadLetters }) => deadLetters },
  {
    name: 'Says',
    cell: ({ lastError, note, differs }) =>
      shown(
        [lastError, note, differs.length > 0 ? `differs: ${differs.join(', ')}` : '']
          .filter(Boolean)
          .join('; '),
      ),
  },
]
