/**
 * An event as claude-hooks-sdk logs it: one JSON object a line, the payload under `input.hook`, what was around it under
 * `input.context`. What the hook answered is not in the journal, so `output` says nothing.
 *
 *   jq 'select(.input.context.agentId == "118b0863")' events.jsonl
 */
import type { EventContext } from './context.ts'
import type { HookEvent } from './hook-event.ts'

export type Logged = Pick<HookEvent, 'id' | 'seq' | 'at' | 'agent' | 'type'> & {
  readonly raw?: HookEvent['raw']
  /** Instead of `raw`, for bytes that are no text. */
  readonly rawBase64?: string
}

export function sdkLine(event: Logged, context: EventContext): string {
  const { id, seq, at, agent, type } = event
  return JSON.stringify({
    input: { hook: payloadOf(event), conversation: null, context, timestamp: timeOf(at) },
    output: null,
    gantry: { seq, id, agent, type },
  })
}

/** What is not JSON stays as it came, under a name of its own. */
function payloadOf({ raw, rawBase64 }: Logged): unknown {
  if (typeof raw !== 'string') {
    const bytes = rawBase64 ?? Buffer.from(raw ?? '').toString('base64')
    return { gantry_raw_base64: bytes }
  }
  try {
    const payload: unknown = JSON.parse(raw)
    return typeof payload === 'object' && payload !== null ? payload : { gantry_raw: raw }
  } catch {
    return { gantry_raw: raw }
  }
}

/** A clock on the agent's side may say anything. */
function timeOf(at: number): string | null {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
