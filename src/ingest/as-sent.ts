/**
 * Rules judge what the agent really sent: a secret must not hide what stands beside it, and a rewrite must not put
 * "[redacted]" where a secret was. Only events that were redacted have another form, which goes with them and is nowhere else.
 */
import type { Arrival, HookEvent } from '../events/index.ts'
import { readEvent } from '../journal/index.ts'

const sent = new WeakMap<HookEvent, Arrival>()

export function keepAsSent(event: HookEvent, arrival: Arrival): void {
  sent.set(event, arrival)
}

/** Never to be stored or passed on. */
export function asSent(event: HookEvent): HookEvent {
  const arrival = sent.get(event)
  if (!arrival) return event
  const { seq, type, client } = event
  return { ...readEvent(arrival), seq, type, client }
}
