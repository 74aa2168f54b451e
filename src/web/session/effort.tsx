/** The efforts that a session worked on, and their context windows. */
import type { EffortDetail, EffortView, WindowView } from '../../client/index.ts'
import { ageWords } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import { useCall } from '../live/call.ts'
import { Bar } from '../parts/bar.tsx'
import { Command } from '../parts/empty.tsx'
import { clockWords, shown } from '../parts/format.ts'
import { Table } from '../parts/table.tsx'
import { useThrottled } from './data.ts'
import type { TabProps } from './index.tsx'

const AGAIN_MS = 3_000

export function EffortTab({ session }: TabProps) {
  const again = useThrottled(session.cause?.seq, AGAIN_MS)
  const asked = useCall('effort.list', { all: true, session: session.id }, again)
  if (!asked.data)
    return asked.state === 'failed' ? (
      <p className="error">{asked.error.message}</p>
    ) : (
      <p className="waits">Loading…</p>
    )
  if (asked.data.length === 0)
    return (
      <div className="nothing">
        <p>
          It works on no effort: a piece of work that outlives context windows. An agent, or you, begins one
          with:
        </p>
        <Command>gantry effort start implement --title 'Search'</Command>
      </div>
    )
  return asked.data.map((effort) => <Effort key={effort.id} effort={effort} again={again} id={session.id} />)
}

interface Props {
  readonly effort: EffortView
  readonly again: unknown
  /** Of the session, to mark its windows. */
  readonly id: string
}

function Effort({ effort, again, id }: Props) {
  const asked = useCall('effort.get', { effort: effort.id, messages: 20 }, again)
  const { title, skill, mode, lifecycle, currentPhase, windows, taskId } = effort
  return (
    <section className="effort">
      <h3>
        {shown(title || skill)} <span className="quiet">effort {effort.id}</span>
      </h3>
      <p className="quiet">
        {[skill, mode, lifecycle, currentPhase && `phase ${currentPhase}`, counted(windows, 'window'), taskId]
          .filter((part) => part !== null && part !== '')
          .map((part) => shown(String(part)))
          .join(' · ')}
      </p>
      {asked.data ? <Detail detail={asked.data} id={id} /> : null}
    </section>
  )
}

function Detail({ detail, id }: { readonly detail: EffortDetail; readonly id: string }) {
  const { phases, sessions, messages } = detail
  return (
    <>
      {phases.length > 0 ? (
        <p>
          {phases.map(({ phase, at }) => (
            <span key={`${phase} ${at}`} className="chip said">
              {shown(phase)} {clockWords(at, false)}
            </span>
          ))}
        </p>
      ) : null}
      <Table
        label="Context windows"
        rows={sessions}
        keyOf={({ id: window }) => window}
        columns={[
          { name: 'Window', cell: (one) => <Which window={one} isThis={one.nativeId === id} /> },
          { name: 'Began', cell: ({ startedAt }) => clockWords(startedAt) },
          {
            name: 'Lasted',
            number: true,
            cell: ({ startedAt, endedAt }) => ageWords((endedAt ?? Date.now()) - startedAt),
          },
          { name: 'Context', cell: ({ contextUsage }) => <Bar label="Context" pct={contextUsage * 100} /> },
          { name: 'Heartbeat', number: true, cell: ({ heartbeatCounter }) => heartbeatCounter },
          {
            name: 'Ended by',
            cell: ({ endReason, endedAt }) => (endedAt === null ? 'open' : shown(endReason ?? '')),
          },
        ]}
      />
      {sessions.some(({ dehydrationPayload }) => dehydrationPayload !== null) ? (
        <details className="message tool">
          <summary>What was written down for the next window</summary>
          {sessions.map(({ id: window, dehydrationPayload }) =>
            dehydrationPayload === null ? null : (
              <pre key={window} className="box">
                {shown(pretty(dehydrationPayload))}
              </pre>
            ),
          )}
        </details>
      ) : null}
      {messages.length > 0 ? (
        <ul className="log">
          {messages.map(({ at, content, role }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two messages may be the same
            <li key={`${at} ${n}`}>
              <time className="quiet">{clockWords(at)}</time> <span className="quiet">{shown(role)}</span>{' '}
              {shown(content.slice(0, 2_000))}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

function Which({
  window: { id, agentId, nativeId },
  isThis,
}: {
  readonly window: WindowView
  readonly isThis: boolean
}) {
  return (
    <>
      {id} {isThis ? <b>this session</b> : <span className="mono">{shown(nativeId.slice(0, 8))}</span>}
      {agentId === '' ? null : <span className="busy"> sub-agent {shown(agentId)}</span>}
    </>
  )
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
