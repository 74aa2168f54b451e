/**
 * `gantry/sdk`: everything a program needs to follow events, act on sessions and efforts, and handle hooks. Plain
 * JavaScript for Node 20 and Bun, so neither this nor its imports may use Bun's APIs. Handlers start during tool calls,
 * so it imports single modules and loads no more than it needs.
 *
 *   import { connect } from 'gantry/sdk'
 */
export type { BusDeliver, WireMessage } from '../client/bus.ts'
export { type ErrorCode, GantryError } from '../core/errors.ts'
export type { EventType, HookEvent, HookTool, KnownEventType } from '../events/index.ts'
export type {
  ApprovalView,
  BusStreamName,
  DehydratedEffort,
  EffortDetail,
  EffortView,
  EventQuery,
  LoggedEffort,
  MessageView,
  SessionChange,
  Status,
  WindowView,
  WireEvent,
} from '../rpc/index.ts'
export type { ChildView, SessionView } from '../sessions/state/index.ts'
export type { Command, Redirect, Word } from '../shell/command.ts'
export { type ConnectOptions, connect, type Gantry, type NewHandler } from './connect.ts'
export type { Dehydration, Efforts, NewEffort, WhichEffort } from './efforts.ts'
export type * from './generated/index.ts'
export { askHandler, defineHandler, type EventFacts, eventFrom, type Handler, runHandler } from './handler.ts'
export type { CallOptions, Waiting } from './link.ts'
export { type AgentName, type Payloads, payloadOf, type Sent, type ToolPayloads } from './payloads.ts'
export type { BusMessage, ConsumerRequest, EventFilter, MessageRequest, OpenMessage } from './streams.ts'
export {
  allow,
  approve,
  ask,
  blockStop,
  both,
  context,
  deny,
  type Opinion,
  opinionOf,
  pass,
  rewrite,
  type Verdict,
  warn,
} from './verdicts.ts'
export {
  type EventOf,
  type HandlerContext,
  type HandlerEvent,
  type HandlerOptions,
  handler,
  type WarmHandler,
} from './warm-handler.ts'
