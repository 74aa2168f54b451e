/**
 * Rules judge what the agent really sent: a secret must not hide what stands beside it, and a rewrite must not put
 * "[redacted]" where a secret was. Only events that were redacted have another form, which goes with them and is nowhere else.
 */
import type { HookEvent, RawEvent } from '../events/index.ts'
import { readEvent } from '../journal/index.ts'

const sent = new WeakMap<HookEvent, RawEvent>()

export function keepAsSent(event: HookEvent, rawEvent: RawEvent): void {
  sent.set(event, rawEvent)
}

/** Never to be stored or passed on. */
export function asSent(event: HookEvent): HookEvent {
  const rawEvent = sent.get(event)
  if (!rawEvent) return event
  const { seq, type, client } = event
  return { ...readEvent(rawEvent), seq, type, client }
}
