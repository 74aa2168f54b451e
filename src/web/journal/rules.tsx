/** What rules and guards say to an event. Nothing is decided by looking. */
import { useMemo } from 'react'
import type { CallResult } from '../../client/index.ts'
import { isObject } from '../../core/is-object.ts'
import { deniedBy, refusalIn } from '../../sessions/state/look.ts'
import { isDenial } from '../../timeline/line.ts'
import { useCall } from '../live/call.ts'
import { Command } from '../parts/empty.tsx'
import { payloadOf } from '../parts/event-payload.tsx'
import { shown } from '../parts/format.ts'
import { linkTo } from '../router.ts'

type Event = CallResult<'events.get'>

const MAX_BYTES = 60_000 // a larger one is tried on the command line

export function Rules({ event }: { readonly event: Event }) {
  const payload = useMemo(() => payloadOf(event), [event])
  const isSmall = (event.raw?.length ?? 0) <= MAX_BYTES
  const trial = useCall(
    'rules.test',
    isObject(payload) && isSmall ? { agent: event.agent, payload } : undefined,
  )
  const { by, reason } = refusalIn(event.reason)
  return (
    <div className="event-rules">
      {isDenial(event) ? (
        <p className="error">
          ✖ {deniedBy(by)}
          {reason ? `: ${shown(reason)}` : ''}
        </p>
      ) : null}
      {isObject(payload) && isSmall ? (
        <Trial asked={trial} />
      ) : (
        <Command>{`gantry rules why ${event.id}`}</Command>
      )}
      <p>
        <a {...linkTo(`/rules/why?event=${event.id}`)}>How it was answered at the time, and why</a>
      </p>
    </div>
  )
}

function Trial({ asked }: { readonly asked: ReturnType<typeof useCall<'rules.test'>> }) {
  if (asked.state === 'failed') return <p className="quiet">{shown(asked.error.message)}</p>
  if (!asked.data) return <p className="quiet">Looking…</p>
  const { verdict, rules, guards } = asked.data
  return (
    <>
      <p>
        With the rules as they are now: <b>{verdict.decision === 'none' ? 'no verdict' : verdict.decision}</b>
        {verdict.by ? ` by ${shown(verdict.by)}` : ''}
        {verdict.reason ? `: ${shown(verdict.reason)}` : ''}
      </p>
      {rules.length + guards.length === 0 ? (
        <p className="quiet">No rule looks at such an event, and no guard finds anything in it.</p>
      ) : (
        <ul>
          {rules.map(({ id, judged, why }) => (
            <li key={`rule ${id}`} className={judged === 'matched' ? 'need' : 'quiet'}>
              {judged === 'matched' ? '▲' : '·'} {shown(id)}: {judged}
              {why ? ` (${shown(why)})` : ''}
            </li>
          ))}
          {guards.map(({ id, mode, found }) => (
            <li key={`guard ${id}`} className="need">
              ▲ guard {shown(id)} ({mode}): {shown(found)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
