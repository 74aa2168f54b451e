/**
 * Open tool calls, and requests to a person because of them. Hooks of parallel calls race: a call may end before it starts,
 * a permission may arrive before its call, and both can only be matched by content.
 */
import { factsOf } from '../../agents/facts.ts'
import type { HookEvent } from '../../events/index.ts'
import type { Attention, OpenTool, Session } from './session.ts'

const MAX_OPEN = 32 // an agent that never closes calls must not grow a session without limit
const MAX_CLOSED = 16
const MAX_ATTENTION = 16
const SAMPLE_CHARS = 256 // from each end of a long input; this runs for every tool call

type Facts = Pick<Session, 'openTools' | 'closedCalls' | 'attention'>

/** Agent, tool and input: all that a permission and its call have in common. */
export function printOf(event: HookEvent): string {
  const { askOnlyFields } = factsOf(event.agent)
  const input = askOnlyFields ? without(askOnlyFields, event.tool?.input) : event.tool?.input
  const text = input === undefined ? '' : JSON.stringify(input)
  const sample =
    text.length <= 2 * SAMPLE_CHARS ? text : text.slice(0, SAMPLE_CHARS) + text.slice(-SAMPLE_CHARS)
  return `${event.agentId ?? ''}|${event.tool?.name ?? ''}|${text.length}:${hash53(sample)}`
}

function without(names: readonly string[], input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !names.some((name) => name in input)) return input
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))
}

/** A 53-bit hash, enough to distinguish the few open calls of a session. */
function hash53(text: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36)
}

export function callOf(event: HookEvent, print: string): string {
  return event.tool?.useId || `=${print}`
}

export function openTool(session: Session, event: HookEvent): Facts {
  const print = printOf(event)
  const call = callOf(event, print)
  const late = session.closedCalls.some((closed) => closed.call === call && closed.at >= event.at)
  if (late || session.openTools.some((open) => open.call === call)) return session
  const tool: OpenTool = {
    call,
    name: event.tool?.name ?? '',
    print,
    since: event.at,
    ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
  }
  // A permission that arrived before its call is bound to it now.
  const attention = session.attention.map((one) => (isFor(one, print) ? boundTo(one, call) : one))
  return {
    openTools: [...session.openTools, tool].slice(-MAX_OPEN),
    closedCalls: session.closedCalls,
    attention,
  }
}

export function closeTool(session: Session, event: HookEvent): Facts {
  const useId = event.tool?.useId
  const byId = useId ? session.openTools.find((tool) => tool.call === useId) : undefined
  const print = byId?.print ?? printOf(event)
  const open = byId ?? session.openTools.find((tool) => tool.print === print)
  const ended = open?.call ?? callOf(event, print)
  const closed = {
    call: ended,
    print,
    name: event.tool?.name ?? '',
    at: event.at,
    ...(event.agentId === undefined ? {} : { agentId: event.agentId }),
    ...(event.spawned === undefined ? {} : { spawned: event.spawned }),
  }
  return {
    openTools: session.openTools.filter((tool) => tool.call !== ended),
    closedCalls: [...session.closedCalls, closed].slice(-MAX_CLOSED),
    attention: session.attention.filter((one) => !belongsTo(one, ended, print, event, session)),
  }
}

export function withAttention(session: Session, attention: Attention): Facts {
  const same = (one: Attention) =>
    one.kind === attention.kind && one.call === attention.call && one.agentId === attention.agentId
  const kept = session.attention.filter((one) => !same(one))
  return { ...session, attention: [...kept, attention].slice(-MAX_ATTENTION) }
}

/** How a permission is bound to a call. */
export type Bond = Pick<Attention, 'call' | 'print'>

/** A permission names no call: it belongs to the open one with the same agent, tool and input. */
export function bondOf(session: Session, event: HookEvent): Bond | undefined {
  const print = printOf(event)
  const matching = session.openTools.filter((tool) => tool.print === print)
  const isAsking = (tool: OpenTool) => session.attention.some((one) => one.call === tool.call)
  const waiting = matching.find((tool) => !isAsking(tool)) ?? matching.at(-1)
  if (waiting) return { call: waiting.call }
  // It was shown, answered and run before this hook arrived.
  if (session.closedCalls.some((closed) => closed.print === print && closed.at >= event.at)) return undefined
  // Hooks may rewrite the input in between: the only call of that tool must be it.
  const alike = session.openTools.filter(
    (tool) => tool.name === event.tool?.name && tool.agentId === event.agentId,
  )
  const only = alike.length === 1 ? alike[0] : undefined
  return only && !isAsking(only) ? { call: only.call, print } : { call: `=${print}` }
}

/** It waits for a call of this print that has not started, or is bound to another one in its place. */
function isFor(one: Attention, print: string): boolean {
  return one.call === `=${print}` || one.print === print
}

function boundTo({ print: _, ...one }: Attention, call: string): Attention {
  return { ...one, call }
}

/**
 * Attention without a call comes from a notification, which names none: progress of that agent ends it, unless the agent
 * has other open calls, any of which may be asking.
 */
function belongsTo(
  one: Attention,
  call: string,
  print: string,
  event: HookEvent,
  { openTools }: Session,
): boolean {
  if (one.call !== undefined) return one.call === call || isFor(one, print)
  if (one.kind === 'error' || one.agentId !== event.agentId) return false
  const isOther = (tool: OpenTool) => tool.call !== call && tool.agentId === event.agentId
  return one.kind === 'idle' || !openTools.some(isOther)
}
