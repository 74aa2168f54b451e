/**
 * Any agent without a table: fields with Claude Code's names are understood, the rest is kept unchanged. Nothing counts as
 * drift, because nothing was expected. It is never answered, because an answer in the wrong form could stop its work.
 */
import type { HookEvent, RawEvent, Verdict } from '../events/index.ts'
import { EVENT_TYPES } from '../events/names.ts'
import { EMPTY_REPLY } from '../events/verdict.ts'
import type { Agent, Answer } from './agent.ts'
import { COMMON_FIELDS, type FieldMappers, notificationText, toolText, UNAMBIGUOUS_FIELDS } from './fields.ts'
import { describeEvents, type EventSpec, makeDialect, readPayload } from './payload.ts'
import { SILENT } from './reply.ts'

/** Only fields whose name is ambiguous; all others are understood on every event. */
const OWN_FIELDS: Readonly<Record<string, FieldMappers>> = {
  Notification: { message: notificationText('message'), title: notificationText('title') },
  PostToolUseFailure: { error: toolText('error') },
}

const EVENTS: Readonly<Record<string, EventSpec>> = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, { type, fields: OWN_FIELDS[type] ?? {} }]),
)

const dialect = makeDialect(EVENTS, UNAMBIGUOUS_FIELDS, false)

export const generic: Agent = {
  id: 'generic',
  glyph: '•',
  env: [],
  marks: [],
  read,
  answer,
  events: describeEvents(EVENTS),
  commonFields: Object.keys(COMMON_FIELDS),
}

function read(payload: unknown, from: RawEvent): HookEvent {
  return readPayload(dialect, payload, from)
}

function answer(_event: HookEvent, verdict: Verdict): Answer {
  return verdict.decision === 'none' ? SILENT : { reply: EMPTY_REPLY, degraded: [verdict.decision] }
}
