/**
 * The canonical event: shape, names, ids, context, verdict, and conversation messages. `ids.ts` can be imported directly by
 * the hook client, which must load nothing else. `hook-event.ts` holds the schema for input from outside: building it takes
 * too long for a start.
 */
export type { EventContext, FileChange, FileChangeKind, GitFacts } from './context.ts'
export type { BackgroundTask, ClientFacts, HookEvent, HookTool, RawEvent, Transport } from './hook-event.ts'
export { isId, newId } from './ids.ts'
export { keyOf, partsOfKey, sessionKeyOf } from './keys.ts'
export { markdownOf, type TokenCounts, type TranscriptMessage } from './message.ts'
export {
  isDecisionWord,
  isUnreadableCall,
  type MissedReason,
  missedReason,
  unsupportedWord,
  VERDICTS_DOC,
} from './missed.ts'
export {
  AGENT_NAME,
  EVENT_TYPES,
  type EventType,
  isAgentName,
  isKnownType,
  type KnownEventType,
  STREAMS,
  type StreamName,
  UNREADABLE,
} from './names.ts'
export { CANARY, isRaised, OWN_AGENT, RAISED, type RaisedType } from './own.ts'
export { fromSdkLine, sdkLine } from './sdk-line.ts'
export { isImported, isPast } from './transport.ts'
export {
  EMPTY_REPLY,
  type HookReply,
  mergeVerdicts,
  NO_VERDICT,
  UNDECIDED_EXIT,
  type Verdict,
} from './verdict.ts'
