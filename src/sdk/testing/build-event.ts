/**
 * Events as agents send them, for tests: a payload recorded from the real program, with the test's values in the fields
 * where that agent has them.
 *
 *   const { payload } = event.preToolUse({ agent: 'gemini', tool: 'run_shell_command', input: { command: 'ls' } })
 */
import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_AGENT } from '../../agents/facts.ts'
import { GantryError } from '../../core/errors.ts'
import type { HookEvent } from '../../events/index.ts'
import { SAMPLES } from '../generated/samples.ts'
import { eventFrom } from '../handler.ts'
import type { AgentName } from '../payloads.ts'

/** What may differ from the recorded event. */
export interface EventParts {
  /** Default: `claude`. */
  readonly agent?: AgentName
  readonly session?: string
  readonly cwd?: string
  readonly tool?: string
  readonly input?: unknown
  readonly response?: unknown
  readonly error?: string
  readonly prompt?: string
  /** The model's last message. */
  readonly message?: string
  readonly reason?: string
  readonly source?: string
  /** The sub-agent's id. */
  readonly agentId?: string
  /** More native fields, applied last. */
  readonly payload?: Readonly<Record<string, unknown>>
}

export interface BuiltEvent {
  readonly agent: AgentName
  /** The agent's own name of the event. */
  readonly native: string
  /** The payload that the agent would send. */
  readonly payload: Record<string, unknown>
  /** The event that a handler gets. */
  readonly event: HookEvent
}

type Build = (parts?: EventParts) => BuiltEvent

/**
 * One function per event. Throws if none was recorded for the agent, or if the agent has no field for a given value.
 */
export const event = {
  sessionStart: builder('SessionStart'),
  userPromptSubmit: builder('UserPromptSubmit'),
  preToolUse: builder('PreToolUse'),
  postToolUse: builder('PostToolUse'),
  postToolUseFailure: builder('PostToolUseFailure'),
  permissionRequest: builder('PermissionRequest'),
  notification: builder('Notification'),
  subagentStart: builder('SubagentStart'),
  subagentStop: builder('SubagentStop'),
  preCompact: builder('PreCompact'),
  stop: builder('Stop'),
  sessionEnd: builder('SessionEnd'),
} as const satisfies Record<string, Build>

function builder(type: string): Build {
  return ({ agent = DEFAULT_AGENT, payload: further = {}, ...parts } = {}) => {
    const sample = SAMPLES[agent]?.[type]
    if (!sample) throw new GantryError('USAGE', `No ${type} of ${agent} was recorded. Build another event.`)
    const wanted = Object.entries(parts).filter(([, value]) => value !== undefined)
    const recorded = read(agent, sample.native, sample.payload)
    let payload: unknown = structuredClone(sample.payload)
    for (const [name, value] of wanted)
      payload = replaced(payload, partOf(recorded, name), value, name === 'session')
    const whole = { ...(payload as Record<string, unknown>), ...further }
    const built = read(agent, sample.native, whole)
    for (const [name, value] of wanted) {
      if (isDeepStrictEqual(partOf(built, name), value)) continue
      throw new GantryError(
        'USAGE',
        `${agent} has no field for "${name}" in ${type}. Leave it out, or use payload.`,
      )
    }
    return { agent, native: sample.native, payload: whole, event: built }
  }
}

function read(agent: AgentName, native: string, payload: unknown): HookEvent {
  return eventFrom(JSON.stringify(payload), { agent, native, id: 'test' })
}

function partOf(event: HookEvent, name: string): unknown {
  switch (name) {
    case 'session':
      return event.sessionId
    case 'tool':
      return event.tool?.name
    case 'input':
      return event.tool?.input
    case 'response':
      return event.tool?.response
    case 'error':
      return event.tool?.error
    case 'message':
      return event.message ?? event.notification?.message
    default:
      return event[name as keyof HookEvent]
  }
}

/**
 * The same tree with every value that equals `before` replaced; with `isInTexts` also inside strings, where an id is
 * part of a path.
 */
function replaced(tree: unknown, before: unknown, after: unknown, isInTexts: boolean): unknown {
  if (before === undefined) return tree
  if (isDeepStrictEqual(tree, before)) return after
  if (isInTexts && typeof tree === 'string') return tree.replaceAll(String(before), String(after))
  if (Array.isArray(tree)) return tree.map((one) => replaced(one, before, after, isInTexts))
  if (typeof tree !== 'object' || tree === null) return tree
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [key, replaced(value, before, after, isInTexts)]),
  )
}
