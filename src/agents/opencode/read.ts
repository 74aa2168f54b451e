/** Parses what the opencode plugin sends. On the hook path. */
import { isObject } from '../../core/is-object.ts'
import type { HookEvent, RawEvent } from '../../events/index.ts'
import { type Draft, UNAMBIGUOUS_FIELDS } from '../fields.ts'
import { makeDialect, type Payload, readPayload } from '../payload.ts'
import { OPENCODE_COMMON, OPENCODE_EVENTS, typeOf } from './events.ts'

/** opencode does not use the unambiguous fields, but events raised on its behalf do. */
const dialect = makeDialect(OPENCODE_EVENTS, { ...UNAMBIGUOUS_FIELDS, ...OPENCODE_COMMON })

/** opencode has no longer names. */
const MAX_NAME_CHARS = 64

/** How events in the life of a session translate for a child session. */
const CHILD_TYPES: ReadonlyMap<string, string> = new Map([
  ['SessionStart', 'SubagentStart'],
  ['Stop', 'SubagentStop'],
  ['SessionEnd', 'SubagentStop'],
])

export function read(payload: unknown, from: RawEvent): HookEvent {
  if (!isObject(payload)) return readPayload(dialect, payload, from)
  const draft = readPayload(dialect, payload, named(payload, from))
  const { native } = draft
  if (draft.type === native && native.includes('.') && native.length <= MAX_NAME_CHARS)
    draft.type = typeOf(native)
  if (draft.type === 'PluginDispose' && draft.sessionId !== '') draft.type = 'SessionEnd'
  if (native === 'session.resumed') draft.source = 'resume'
  if (draft.agentVersion === undefined) {
    const version = from.client.env.OPENCODE_VERSION
    if (version) draft.agentVersion = version
  }
  settleChild(draft, payload)
  return draft
}

/** A bus event names itself; a hook is named by the frame. Recorders prefix bus events with `event:`. */
function named(payload: Payload, from: RawEvent): RawEvent {
  const { type } = payload
  const event = typeof type === 'string' && type !== '' ? type : from.event?.replace(/^event:/, '')
  return event === undefined || event === from.event ? from : { ...from, event }
}

/** In opencode a sub-agent has its own session; everywhere else it belongs to its parent's. */
function settleChild(draft: Draft, payload: Payload): void {
  const info = isObject(payload.properties) ? payload.properties.info : undefined
  const session = isObject(info) ? info : undefined
  const parent = payload.parentID ?? parentOf(draft, session)
  if (typeof parent !== 'string' || parent === '' || draft.sessionId === '' || parent === draft.sessionId)
    return
  draft.agentId = draft.sessionId
  draft.sessionId = parent
  const agent = payload.agentType ?? session?.agent
  if (typeof agent === 'string') draft.agentType = agent
  draft.type = CHILD_TYPES.get(draft.type) ?? draft.type
  if (draft.prompt !== undefined) draft.promptInjected = true // the parent's model wrote it
}

/** A message has a parentID, too, but that is another message. */
function parentOf(draft: Draft, info: Payload | undefined): unknown {
  return info !== undefined && info.id === draft.sessionId ? info.parentID : undefined
}
