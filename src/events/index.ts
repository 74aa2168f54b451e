/**
 * The canonical event: its shape, its names, its ids, the verdict on it, and the redaction of secrets in it.
 * This room knows no other. `ids.ts` is a door of its own for the hook client, which must load nothing else.
 */
export {
  type Arrival,
  type BackgroundTask,
  type ClientFacts,
  type HookEvent,
  type HookTool,
  hookEventSchema,
  TRANSPORTS,
  type Transport,
} from './hook-event.ts'
export { isId, newId } from './ids.ts'
export { EVENT_TYPES, type EventType, isKnownType, type KnownEventType, UNREADABLE } from './names.ts'
export { redact } from './redact.ts'
export { EMPTY_REPLY, type HookReply, mergeVerdicts, NO_VERDICT, type Verdict } from './verdict.ts'
