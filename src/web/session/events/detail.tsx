/** One event: its payload, pretty or byte for byte, and how it was answered. */
import { useState } from 'react'
import { toLine, VERDICT_LOOKS } from '../../journal/line.ts'
import { useCall } from '../../live/call.ts'
import { Code } from '../../parts/code.tsx'
import { Button } from '../../parts/controls.tsx'
import { Payload } from '../../parts/payload.tsx'
import { shown } from '../../parts/words.ts'
import { linkTo } from '../../router.ts'
import type { Listed } from './pages.ts'

const RAW_CHARS = 200_000
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
  const raw = asked.data?.raw
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
      {asked.data === undefined ? null : isRaw ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard
        <pre className="box tall" tabIndex={0}>
          {raw === undefined ? (
            `base64: ${asked.data.rawBase64 ?? ''}`
          ) : (
            <Code text={cut(raw)} language="json" />
          )}
        </pre>
      ) : (
        <Payload value={parsed(raw)} />
      )}
    </div>
  )
}

function parsed(raw: string | undefined): unknown {
  try {
    return JSON.parse(raw ?? 'null')
  } catch {
    return raw
  }
}

function cut(text: string): string {
  return text.length > RAW_CHARS
    ? `${text.slice(0, RAW_CHARS)}\n… ${text.length - RAW_CHARS} more characters`
    : text
}
