/**
 * Payloads that were parsed on the hook path, for whoever learns from them right after: none is parsed twice. They go with
 * their events; nobody has to let go of them.
 */
import type { HookEvent } from '../events/index.ts'

const kept = new WeakMap<HookEvent, unknown>()

export function keepPayload(event: HookEvent, payload: unknown): void {
  kept.set(event, payload)
}

/** Nothing for an event that was read from the journal again, or whose payload was not read as a whole. */
export function takePayload(event: HookEvent): unknown {
  const payload = kept.get(event)
  kept.delete(event)
  return payload
}
