/**
 * Payloads parsed on the hook path, for the schema learner right after: none is parsed twice. The WeakMap drops them with
 * their events.
 */
import type { HookEvent } from '../events/index.ts'

const kept = new WeakMap<HookEvent, unknown>()

export function keepPayload(event: HookEvent, payload: unknown): void {
  kept.set(event, payload)
}

/** Undefined for an event that was read from the journal again, or whose payload was not fully parsed. */
export function takePayload(event: HookEvent): unknown {
  const payload = kept.get(event)
  kept.delete(event)
  return payload
}
