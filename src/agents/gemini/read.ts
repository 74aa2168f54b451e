/** Gemini CLI's payloads, as events. On the hook path. Nothing in them, or in their environment, tells the version. */
import type { Arrival, HookEvent } from '../../events/index.ts'
import { makeDialect, readPayload } from '../payload.ts'
import { UNAMBIGUOUS_FIELDS } from '../slots.ts'
import { GEMINI_COMMON, GEMINI_EVENTS } from './events.ts'

const dialect = makeDialect(GEMINI_EVENTS, { ...UNAMBIGUOUS_FIELDS, ...GEMINI_COMMON })

export function read(payload: unknown, from: Arrival): HookEvent {
  return readPayload(dialect, payload, from)
}
