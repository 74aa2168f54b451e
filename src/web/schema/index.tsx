/** Payloads that are not what gantry expects of an agent: each difference, the learned schemas, and accepting them. */
import { useState } from 'react'
import type { Difference, DriftRow, Severity, Shape } from '../../client/index.ts'
import { counted } from '../../core/text/text.ts'
import { call, useCall } from '../live/call.ts'
import { useFresh } from '../live/fresh.ts'
import { Age } from '../parts/age.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Button, Chip } from '../parts/controls.tsx'
import { Command } from '../parts/empty.tsx'
import { shown } from '../parts/format.ts'
import { Section } from '../parts/section.tsx'
import { linkTo } from '../router.ts'
import { Shapes } from './shapes.tsx'

export default function Schema() {
  const drifts = useFresh('schema.drifts', {})
  const [accepting, setAccepting] = useState<string>()
  const [all, setAll] = useState(false)
  const open = drifts.data?.filter(({ acceptedAt }) => acceptedAt === null) ?? []
  const accepted = (drifts.data?.length ?? 0) - open.length
  const agents = [...new Set(open.map(({ agent }) => agent))].sort()
  return (
    <>
      <h1 className="view-title">Schema</h1>
      <Section title="Drift" note="differences from the expected payloads, newest first" asked={drifts}>
        {(rows) => (
          <>
            <div className="actions">
              {agents.map((agent) => (
                <Button key={agent} onClick={() => setAccepting(agent)}>
                  Accept {shown(agent)} as it is…
                </Button>
              ))}
              {accepted === 0 ? null : (
                <Chip on={all} onClick={() => setAll(!all)}>
                  {all ? `hide ${accepted} accepted` : `hidden: ${accepted} accepted`}
                </Chip>
              )}
            </div>
            {(all ? rows : open).length === 0 ? (
              <div className="nothing-here">
                <p className="quiet">
                  {rows.length === 0
                    ? 'None: every payload is as expected. gantry compares each with what it knows of the agent, and reports a field that is new, missing, or of another type.'
                    : 'None that is not accepted.'}
                </p>
                <Command>gantry schema analyze</Command>
              </div>
            ) : (
              <ul className="drifts">
                {(all ? rows : open).map((drift) => (
                  <Drift key={drift.key} drift={drift} />
                ))}
              </ul>
            )}
          </>
        )}
      </Section>
      <Differences again={drifts.data?.length ?? 0} />
      <Learned />
      {accepting === undefined ? null : (
        <Confirm
          title={`Accept the payloads of ${shown(accepting)}?`}
          action="Accept as baseline"
          onClose={() => setAccepting(undefined)}
          run={async () => {
            await call('schema.baseline', { agent: accepting })
            drifts.refresh()
            return `The payloads of ${accepting} are the baseline now.`
          }}
        >
          <p>
            What gantry has learned of {shown(accepting)} becomes what it expects:{' '}
            {counted(open.filter(({ agent }) => agent === accepting).length, 'difference')} will not be
            reported again. Look at them first if hooks of this agent decide something for you.
          </p>
        </Confirm>
      )}
    </>
  )
}

const MARKS: Readonly<Record<string, readonly [mark: string, tone: string]>> = {
  breaking: ['✖', 'error'],
  notable: ['!', 'need'],
  info: ['·', 'quiet'],
}

function SeverityWord({ severity }: { readonly severity: string }) {
  const [mark, tone] = MARKS[severity] ?? ['·', 'quiet']
  return (
    <span className={tone}>
      {mark} {severity}
    </span>
  )
}

function Drift({ drift }: { readonly drift: DriftRow }) {
  const { severity, agent, version, event, tool, path, was, now, message, cause, at, acceptedAt } = drift
  return (
    <li>
      <p className="drift-head">
        <SeverityWord severity={severity} />
        <b>{shown([agent, version].filter(Boolean).join(' '))}</b>
        <span>{shown([event, tool].filter(Boolean).join(' '))}</span>
        <span className="quiet">
          <Age since={at} /> ago{acceptedAt === null ? '' : ', accepted'}
        </span>
        <a {...linkTo(`/rules/why?event=${encodeURIComponent(cause)}`)} className="quiet">
          its event
        </a>
      </p>
      <p>{shown(message)}</p>
      <Change path={path} before={was} after={now} />
    </li>
  )
}

/** As a diff: expected and observed. */
function Change({
  path,
  before,
  after,
}: {
  readonly path: string
  readonly before: string | null | undefined
  readonly after: string | null | undefined
}) {
  const name = path === '' ? '' : `${shown(path)}: `
  if (!before && !after) return null
  return (
    <div className="change-box">
      {before ? (
        <div className="gone">
          <span aria-hidden="true">− </span>
          <span className="hidden-text">expected </span>
          {name}
          {shown(before)}
        </div>
      ) : null}
      {after ? (
        <div className="new">
          <span aria-hidden="true">+ </span>
          <span className="hidden-text">came </span>
          {name}
          {shown(after)}
        </div>
      ) : null}
    </div>
  )
}

const SEVERITIES: readonly Severity[] = ['breaking', 'notable', 'info']
const MAX_DIFFERENCES = 200

function Differences({ again }: { readonly again: number }) {
  const diff = useCall('schema.diff', {}, again)
  const [level, setLevel] = useState<Severity>()
  return (
    <Section title="Expected and observed" note="every difference there is, accepted or not" asked={diff}>
      {(all) => {
        if (all.length === 0) return <p className="quiet">No differences.</p>
        const of = (severity: Severity) => all.filter((one) => one.severity === severity)
        const rows = level === undefined ? SEVERITIES.flatMap(of) : of(level)
        return (
          <details className="fold-part">
            <summary>{counted(all.length, 'difference')}</summary>
            <div className="chips">
              {SEVERITIES.filter((one) => of(one).length > 0).map((one) => (
                <Chip key={one} on={level === one} onClick={() => setLevel(level === one ? undefined : one)}>
                  {one} {of(one).length}
                </Chip>
              ))}
              {rows.length > MAX_DIFFERENCES ? (
                <Chip>hidden: {rows.length - MAX_DIFFERENCES} more</Chip>
              ) : null}
            </div>
            <ul className="drifts">
              {rows.slice(0, MAX_DIFFERENCES).map((one) => (
                <DifferenceItem key={JSON.stringify(one)} one={one} />
              ))}
            </ul>
          </details>
        )
      }}
    </Section>
  )
}

function DifferenceItem({ one }: { readonly one: Difference }) {
  const { severity, kind, agent, event, tool, path, before, after } = one
  return (
    <li>
      <p className="drift-head">
        <SeverityWord severity={severity} />
        <b>{shown([agent, event, tool].filter(Boolean).join(' '))}</b>
        <span>{kind.replaceAll('-', ' ')}</span>
        {before || after ? null : <code>{shown(path)}</code>}
      </p>
      <Change path={path} before={before} after={after} />
    </li>
  )
}

function Learned() {
  const shapes = useCall('schema.shapes', {})
  return (
    <Section title="Learned schemas" asked={shapes} note={noteOf(shapes.data)}>
      {(all) =>
        all.length === 0 ? (
          <p className="quiet">Nothing yet: they are learned from the events of your agents.</p>
        ) : (
          <Shapes shapes={all} />
        )
      }
    </Section>
  )
}

function noteOf(shapes: readonly Shape[] | undefined): string | undefined {
  if (!shapes || shapes.length === 0) return undefined
  const events = shapes.reduce((sum, { count }) => sum + count, 0)
  return `${counted(shapes.length, 'kind')} of payload, from ${counted(events, 'event')}`
}
