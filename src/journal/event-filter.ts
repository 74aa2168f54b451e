/** Query matching for events and rows, and the wire form of events. */
import { type HookEvent, isPast, OWN_AGENT } from '../events/index.ts'
import type { EventQuery, WireEvent } from '../rpc/index.ts'
import { type EventFilter, isPlainText } from '../store/index.ts'

export function matches(event: HookEvent, query: EventQuery): boolean {
  if (query.session !== undefined && event.sessionId !== query.session) return false
  if (query.type !== undefined && event.type !== query.type) return false
  if (query.agent !== undefined && event.agent !== query.agent) return false
  if (query.subagent !== undefined && event.agentId !== query.subagent) return false
  if (query.except !== undefined && event.agent === query.except) return false
  if (query.since !== undefined && event.receivedAt < query.since) return false
  if (query.run !== undefined && !isAskedOf(query.run, event)) return false
  return query.grep === undefined || textOf(event).toLowerCase().includes(query.grep.toLowerCase())
}

const ASKING = new Set(['EffortDehydrated', 'RestartRequested'])

function isAskedOf(run: string, event: HookEvent): boolean {
  if (event.agent !== OWN_AGENT || isPast(event)) return false
  return ASKING.has(event.type) && event.fields?.run_id === run
}

/**
 * As far as the journal's columns and LIKE can tell: includes everything that `matches`; `look` means that it may include
 * more.
 */
export function rowFilter(query: EventQuery): EventFilter {
  const { session, type, agent, subagent, except, since, grep, run } = query
  return {
    ...(session === undefined ? {} : { session }),
    ...(type === undefined ? {} : { type }),
    ...(agent === undefined ? {} : { agent }),
    ...(subagent === undefined ? {} : { subagent }),
    ...(except === undefined ? {} : { except }),
    ...(since === undefined ? {} : { since }),
    ...(grep === undefined ? {} : { grep, look: !isPlainText(grep) }),
    ...(run === undefined ? {} : { agent: OWN_AGENT, look: true }),
  }
}

export function toWire(event: HookEvent): WireEvent {
  const { raw, ...rest } = event
  return typeof raw === 'string'
    ? { ...rest, raw }
    : { ...rest, rawBase64: Buffer.from(raw).toString('base64') }
}

function textOf(event: HookEvent): string {
  return typeof event.raw === 'string' ? event.raw : Buffer.from(event.raw).toString('latin1')
}
