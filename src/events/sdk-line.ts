/**
 * An event as claude-hooks-sdk logs it: one JSON object per line, the payload under `input.hook`, its context under
 * `input.context`. `output` is null, because the journal does not hold the hook's answer. `fromSdkLine` reads both gantry's
 * and the SDK's lines.
 *
 *   jq 'select(.input.context.agentId == "118b0863")' events.jsonl
 */
import { isObject } from '../core/is-object.ts'
import { jsonIn } from '../core/json.ts'
import type { EventContext } from './context.ts'
import type { HookEvent } from './hook-event.ts'

type Logged = Pick<HookEvent, 'id' | 'seq' | 'at' | 'agent' | 'type' | 'native'> & {
  readonly agentVersion?: string | undefined
  readonly raw?: HookEvent['raw']
  /** Used instead of `raw` for bytes that are not text. */
  readonly rawBase64?: string
}

export function sdkLine(event: Logged, context: EventContext): string {
  const { id, seq, at, agent, type, native, agentVersion: version } = event
  return JSON.stringify({
    input: { hook: payloadOf(event), conversation: null, context, timestamp: timeOf(at) },
    output: null,
    gantry: { seq, id, agent, type, native, ...(version === undefined ? {} : { version }) },
  })
}

/** A payload that is not a JSON object is kept as it came, under its own key. */
function payloadOf({ raw, rawBase64 }: Logged): unknown {
  if (typeof raw !== 'string') {
    const bytes = rawBase64 ?? Buffer.from(raw ?? '').toString('base64')
    return { gantry_raw_base64: bytes }
  }
  const payload = jsonIn(raw)
  return typeof payload === 'object' && payload !== null ? payload : { gantry_raw: raw }
}

/** The agent's clock may give an invalid time. */
function timeOf(at: number): string | null {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/**
 * Converts a line of claude-hooks-sdk to a recorded one (`{agent, event, at, payload}`); undefined if it is not such a
 * line. Three files of that SDK have such lines (seen on 0.8.5): `events.jsonl` {input: {hook, context, timestamp},
 * output}, those of its EventRecorder {timestamp, event}, and `error-queue.jsonl` {event, error, timestamp}. The SDK logs
 * one agent's hooks and does not name the agent.
 */
export function fromSdkLine(line: unknown, theirs: string): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(line)) return undefined
  const { input, event, timestamp, gantry } = line
  const isLogged = isObject(input) && isObject(input.hook)
  const hook = isLogged ? input.hook : event
  if (!isObject(hook)) return undefined
  const own = isObject(gantry) ? gantry : {}
  const agent = own.agent ?? theirs
  return {
    agent,
    version: own.version ?? '',
    event: own.native ?? hook.hook_event_name ?? '',
    at: isLogged ? input.timestamp : timestamp,
    ...(own.id === undefined ? {} : { id: own.id }),
    ...contentOf(hook),
  }
}

function contentOf(hook: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (typeof hook.gantry_raw === 'string') return { raw: hook.gantry_raw }
  if (typeof hook.gantry_raw_base64 === 'string') return { rawBase64: hook.gantry_raw_base64 }
  const { context, _editedFiles, ...payload } = hook
  // The SDK adds these to the payload; no agent sent them.
  const isSdks = isObject(context) && typeof context.transactionId === 'string'
  return { payload: context === undefined || isSdks ? payload : { ...payload, context } }
}
