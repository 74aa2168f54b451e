/**
 * Rules judge the payload as the agent sent it: redaction must not hide what stands beside a secret, and a rewrite must not
 * contain "[redacted]" instead of it. Only redacted events have this second form; it lives and dies with the event.
 */
import type { HookEvent, RawEvent } from '../events/index.ts'
import { readEvent } from '../journal/index.ts'

const sent = new WeakMap<HookEvent, RawEvent>()

export function keepAsSent(event: HookEvent, rawEvent: RawEvent): void {
  sent.set(event, rawEvent)
}

/** Never store or publish the result. */
export function asSent(event: HookEvent): HookEvent {
  const rawEvent = sent.get(event)
  if (!rawEvent) return event
  const { seq, type, client } = event
  return { ...readEvent(rawEvent), seq, type, client }
}
