/** What was refused or asked in a session: what, when, by whom and why. */
import { tookWords } from '../../core/text/amount.ts'
import { deniedBy, LOOKS } from '../../sessions/state/look.ts'
import type { Entry } from '../../timeline/entry.ts'
import { Command } from '../parts/empty.tsx'
import { clockWords, shown } from '../parts/format.ts'
import { Table } from '../parts/table.tsx'
import { linkTo } from '../router.ts'
import { shownPath } from './address.ts'
import { decisionsIn } from './entries.ts'
import type { TabProps } from './index.tsx'

export function DecisionsTab({ session, timeline: { asked } }: TabProps) {
  if (!asked.data)
    return asked.state === 'failed' ? (
      <p className="error">{asked.error.message}</p>
    ) : (
      <p className="waits">Reading the journal…</p>
    )
  const decisions = decisionsIn(asked.data.entries).toReversed()
  const { denied } = session
  return (
    <div className="decisions">
      {denied ? (
        <p className="error">
          ✗ The last call was {deniedBy(denied.by)}
          {denied.reason === undefined ? '' : `: ${shown(denied.reason)}`}
        </p>
      ) : null}
      {decisions.length === 0 ? (
        <>
          <p className="nothing">
            Nothing was refused, and nobody was asked. What a rule would say to a command:
          </p>
          <Command>gantry rules test --command 'git push --force'</Command>
        </>
      ) : (
        <Table
          label="Decisions, newest first"
          rows={decisions}
          keyOf={(entry) => `${entry.seq ?? ''} ${entry.at} ${entry.label}`}
          columns={[
            { name: 'Time', cell: ({ at }) => clockWords(at) },
            { name: 'Verdict', cell: (entry) => <Verdict entry={entry} /> },
            {
              name: 'What, and why',
              cell: ({ text, label }) => <span className="span-text">{shown(text || label)}</span>,
            },
            { name: 'Waited', number: true, cell: waited },
            {
              name: 'Event',
              cell: ({ seq }) =>
                seq === undefined ? null : (
                  <>
                    <a {...linkTo(shownPath(session.key, { tab: 'events', at: seq }))}>{seq}</a>
                    {' · '}
                    <a {...linkTo(`/rules/why?event=${seq}`)}>why</a>
                  </>
                ),
            },
          ]}
        />
      )}
    </div>
  )
}

function Verdict({ entry: { denied, open } }: { readonly entry: Entry }) {
  if (denied) return <span className="error">✗ denied</span>
  return open ? <span className="need">{LOOKS.asks.mark} waits for you</span> : <span>△ asked</span>
}

function waited({ kind, at, endAt, open }: Entry): string {
  if (kind !== 'ask' || (endAt === undefined && !open)) return ''
  return tookWords((endAt ?? Date.now()) - at)
}
