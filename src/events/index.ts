/**
 * The canonical event: its shape, its names, its ids, what was around it, the verdict on it, the redaction of secrets in it,
 * and the messages of a conversation.
 * This room knows no other. `ids.ts` is a door of its own for the hook client, which must load nothing else;
 * `hook-event.ts` has the schema, for those who check events from outside: building it takes longer than a start should.
 */
export type { EventContext, FileChange, FileChangeKind, GitFacts } from './context.ts'
export type { BackgroundTask, ClientFacts, HookEvent, HookTool, RawEvent, Transport } from './hook-event.ts'
export { isId, newId } from './ids.ts'
export {
  type MarkdownOptions,
  type MessageTool,
  markdownOf,
  type TokenCounts,
  type TranscriptMessage,
} from './message.ts'
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
export { isRaised, OWN_AGENT, RAISED } from './own.ts'

export { fromSdkLine, type Logged, sdkLine } from './sdk-line.ts'
export { isImported, isPast } from './transport.ts'
export {
  EMPTY_REPLY,
  type HookReply,
  mergeVerdicts,
  NO_VERDICT,
  UNDECIDED_EXIT,
  type Verdict,
} from './verdict.ts'
