/** The event that set a session's state, its time, and who decided to ask. */
import type { SessionView } from '../../client/index.ts'
import { useCall } from '../live/call.ts'
import { Dialog } from '../parts/dialog.tsx'
import { shown } from '../parts/format.ts'
import { linkTo } from '../router.ts'

export function Why({ session, onClose }: { readonly session: SessionView; readonly onClose: () => void }) {
  const asked = useCall('sessions.why', { session: session.key })
  const approvals = useCall('approvals.list', {})
  const event = asked.data?.event
  const reasons = (approvals.data?.approvals ?? []).filter(
    ({ session: id, reason }) => id === session.id && reason !== undefined,
  )
  return (
    <Dialog title={`Why ${session.name} needs you`} onClose={onClose} wide>
      {asked.state === 'loading' ? <p className="quiet">Looking…</p> : null}
      {asked.state === 'failed' ? <p className="error">{asked.error.message}</p> : null}
      {reasons.map(({ id, reason }) => (
        <p key={id}>{shown(reason ?? '')}</p>
      ))}
      {event ? (
        <>
          <p>
            <b>{event.type}</b>
            {event.native === event.type ? null : <span className="quiet"> ({shown(event.native)})</span>}{' '}
            from {event.agent} at {new Date(event.at).toLocaleTimeString()}, event{' '}
            <a {...linkTo(`/journal/${event.seq}`)}>{event.seq}</a> of the journal.
          </p>
          <pre className="box tall">
            {shown(JSON.stringify(event.tool ?? event.notification ?? event.error ?? {}, null, 2))}
          </pre>
        </>
      ) : asked.state === 'done' ? (
        <p className="quiet">The event is not kept any more.</p>
      ) : null}
    </Dialog>
  )
}
