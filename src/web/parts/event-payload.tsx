/** The payload of an event, pretty or as it came: as much as one can read, and the whole as a file. */
import { memo, useMemo } from 'react'
import { jsonIn } from '../../core/json.ts'
import { Code } from './code.tsx'
import { Button } from './controls.tsx'
import { Payload } from './payload.tsx'
import { save } from './save.ts'

const RAW_CHARS = 200_000
const LONG_CHARS = 20_000 // from here on parts may be left out

interface Event {
  readonly id: string
  readonly raw?: string
  readonly rawBase64?: string
}

/** Rendered once for an event, however often the view around it is: it may have megabytes. */
export const EventPayload = memo(function EventPayload({
  event,
  isRaw,
}: {
  readonly event: Event
  readonly isRaw: boolean
}) {
  const { raw, rawBase64 = '' } = event
  const text = raw ?? `base64: ${rawBase64}`
  const value = useMemo(() => payloadOf(event), [event])
  return (
    <>
      {isRaw ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard
        <pre className="box tall" tabIndex={0}>
          <Code text={text.slice(0, RAW_CHARS)} language={raw === undefined ? undefined : 'json'} />
        </pre>
      ) : (
        <Payload value={value} />
      )}
      {text.length > LONG_CHARS ? (
        <p className="quiet payload-whole">
          The payload has {text.length.toLocaleString('en')} characters
          {isRaw && text.length <= RAW_CHARS ? '' : '; long parts are cut here'}.
          <Button
            onClick={() =>
              raw === undefined
                ? save(`${event.id}.base64`, 'text/plain', [rawBase64])
                : save(`${event.id}.json`, 'application/json', [raw])
            }
          >
            Save the whole payload
          </Button>
        </p>
      ) : null}
    </>
  )
})

/** As JSON if it is that, else as it came. */
export function payloadOf({ raw, rawBase64 = '' }: Omit<Event, 'id'>): unknown {
  if (raw === undefined) return `base64: ${rawBase64}`
  const value = jsonIn(raw)
  return value === undefined ? raw : value
}
