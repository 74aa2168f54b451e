/** One event: its payload, pretty or byte for byte, and how it was answered. */
import { useState } from 'react'
import { toLine, VERDICT_LOOKS } from '../../journal/line.ts'
import { useCall } from '../../live/call.ts'
import { Button } from '../../parts/controls.tsx'
import { EventPayload } from '../../parts/event-payload.tsx'
import { shown } from '../../parts/format.ts'
import { linkTo } from '../../router.ts'
import type { Listed } from './pages.ts'

const DECIDED: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
])

export function EventDetail({ event }: { readonly event: Listed }) {
  const [isRaw, setRaw] = useState(false)
  const asked = useCall('events.get', { id: event.id })
  const { verdict, why } = toLine(event)
  return (
    <div className="event-detail">
      <div className="actions">
        <Button aria-pressed={!isRaw} onClick={() => setRaw(false)}>
          Pretty
        </Button>
        <Button aria-pressed={isRaw} onClick={() => setRaw(true)}>
          Raw
        </Button>
        <span className="quiet">
          {event.native === event.type ? '' : `${shown(event.native)} · `}sequence {event.seq} ·{' '}
          {event.transport}
        </span>
        {DECIDED.has(event.type) ? (
          <a {...linkTo(`/rules/why?event=${event.id}`)}>Why it was answered so</a>
        ) : null}
      </div>
      {verdict === '' ? null : (
        <p>
          <span className={VERDICT_LOOKS[verdict].tone}>
            {VERDICT_LOOKS[verdict].mark} {verdict}
          </span>{' '}
          {why}
        </p>
      )}
      {asked.state === 'failed' ? <p className="error">{asked.error.message}</p> : null}
      {asked.data === undefined ? null : <EventPayload event={asked.data} isRaw={isRaw} />}
    </div>
  )
}
