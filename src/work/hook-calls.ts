/**
 * The hooks as calls, for clients that make them themselves. A call is an event: like every other event it passes
 * through the journal, the rules, the bus and the sessions. Its result is built from their outcome.
 *
 *   → {"cmd":"hooks.preToolUse","args":{"session_id":"s1","cwd":"/home/dev/app","tool_name":"Bash","tool_input":{}}}
 *   ← {"ok":true,"data":{"allow":true,"heartbeatCount":1,…}}
 */
import { ENV_ALLOW_LIST } from '../client/wire.ts'
import { GantryError } from '../core/errors.ts'
import {
  EMPTY_REPLY,
  isAgentName,
  keyOf,
  NO_VERDICT,
  newId,
  OWN_AGENT,
  type RawEvent,
  type Verdict,
} from '../events/index.ts'
import type { Pipeline } from '../ingest/index.ts'
import { hookCalls } from '../rpc/calls/index.ts'
import type { HandlersOf, RpcContext } from '../rpc/index.ts'
import type { SessionTracker } from '../sessions/index.ts'
import { engine as statusOf } from '../sessions/state/index.ts'
import { type AskedHook, type Ending, toSnakeCase } from './index.ts'
import type { Work } from './service.ts'

export interface HookCallParts {
  readonly work: Work
  readonly pipeline: Pipeline
  readonly tracker: SessionTracker
}

type Env = Readonly<Record<string, string>>
type Result = Readonly<Record<string, unknown>>

export function hookHandlers(parts: HookCallParts): HandlersOf<typeof hookCalls> {
  const handler = (call: string) => {
    const name = call.slice('hooks.'.length)
    return [call, (args: Result, { env }: RpcContext) => take(parts, name, args, env)]
  }
  return Object.fromEntries(Object.keys(hookCalls).map(handler))
}

async function take(
  { work, pipeline, tracker }: HookCallParts,
  name: string,
  args: Result,
  env: Env,
): Promise<Result> {
  const { engine } = work
  const asked = engine.asked(name, args)
  if (!isAgentName(asked.agent) || asked.agent === OWN_AGENT)
    throw new GantryError('VALIDATION_ERROR', `"${asked.agent}" is not the name of an agent.`)
  const ending = engine.endingOf(asked, env)
  const rawEvent = rawEventOf(asked, args, env, ending)
  engine.expect(rawEvent.id, { ...asked, ending })
  let verdict: Verdict = NO_VERDICT
  const words = (_: unknown, said: Verdict) => {
    verdict = said
    return { reply: EMPTY_REPLY }
  }
  const isStored = await new Promise<boolean>((resolve) =>
    pipeline.take(rawEvent, (reply) => resolve(reply !== undefined), { words }),
  )
  const result = engine.resultOf(rawEvent.id)
  if (!isStored || !result)
    throw new GantryError(
      'DATABASE',
      `The event of hooks.${name} could not be stored. Find out why with: gantry doctor`,
    )
  return withVerdict(withStatus(result, asked, tracker), verdict)
}

/**
 * Uses the field names of the agent's own hook, so the same hook over another transport is recognized as a duplicate.
 */
function rawEventOf(asked: AskedHook, args: Result, env: Env, ending: Ending | undefined): RawEvent {
  const { agent: _, ...payload } = toSnakeCase(args)
  const now = Date.now()
  const failed = ending && {
    hook_event_name: 'StopFailure',
    error: ending.error,
    error_details: ending.message,
  }
  return {
    id: newId(),
    at: now,
    receivedAt: now,
    agent: asked.agent,
    event: failed?.hook_event_name ?? asked.type,
    client: {
      env: Object.fromEntries(
        ENV_ALLOW_LIST.flatMap((one) => (env[one] === undefined ? [] : [[one, env[one]]])),
      ),
      ...(env.TMUX_PANE === undefined ? {} : { pane: env.TMUX_PANE }),
      ...(env.TMUX === undefined ? {} : { tmux: env.TMUX }),
    },
    transport: 'rpc',
    raw: JSON.stringify({ ...payload, hook_event_name: asked.type, ...failed }),
  }
}

/** The status is the session's current one, whatever this hook alone implies. */
function withStatus(result: Result, { hook, agent, input }: AskedHook, { sessions }: SessionTracker): Result {
  if (typeof result.status !== 'string' || hook.name === 'teammateIdle') return result
  const session = sessions.get(keyOf({ agent, sessionId: input.sessionId }))
  return { ...result, status: (session && statusOf(session)) ?? 'done' }
}

/** Adds the verdict of rules and handlers. Clients only know `allow`, so `ask` becomes a refusal. */
function withVerdict(result: Result, { decision, reason, input, context, systemMessage }: Verdict): Result {
  const refuses = decision === 'deny' || decision === 'ask'
  return {
    ...result,
    ...(refuses && 'allow' in result ? { allow: false } : {}),
    ...(decision === 'none' ? {} : { decision, ...(reason === undefined ? {} : { reason }) }),
    ...(input === undefined ? {} : { updatedInput: input }),
    ...(context === undefined || context.length === 0 ? {} : { additionalContext: context }),
    ...(systemMessage === undefined ? {} : { systemMessage }),
  }
}
