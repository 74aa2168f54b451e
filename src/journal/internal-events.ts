/** Events that gantry itself raises. They are stored like any other, from the agent "gantry". */
import { agentFor } from '../agents/index.ts'
import {
  type HookEvent,
  keyOf,
  newId,
  OWN_AGENT,
  type RaisedType,
  type RawEvent,
  type Verdict,
} from '../events/index.ts'
import { CLOCK_SET_BACK, HOOKLESS, type Inferred, type Session } from '../sessions/state/index.ts'

export function stopLoopEvent(event: HookEvent, rule: string, now: number): RawEvent {
  return raised('StopLoopDetected', now, {
    session_id: event.sessionId,
    ...(event.agentId === undefined ? {} : { agent_id: event.agentId }),
    ...(event.cwd === undefined ? {} : { cwd: event.cwd }),
    message: `rule ${rule} kept the turn going too often; the agent may stop now`,
    rule,
    cause: event.id,
  })
}

/** A session writes a file that another living session wrote. */
export function collisionEvent(
  event: HookEvent,
  about: Readonly<Record<string, unknown>>,
  now: number,
): RawEvent {
  return raised('CollisionFound', now, {
    session_key: keyOf(event),
    session_id: event.sessionId,
    ...(event.agentId === undefined ? {} : { agent_id: event.agentId }),
    ...(event.cwd === undefined ? {} : { cwd: event.cwd }),
    ...about,
    cause: event.id,
  })
}

/** A person's change to a session: in the journal, so that a rebuild knows it, too. */
export function renamedEvent(key: string, name: string, now: number): RawEvent {
  return raised('SessionRenamed', now, { session_key: key, name })
}

export function seenEvent(key: string, now: number): RawEvent {
  return raised('SessionSeen', now, { session_key: key })
}

/** The system clock was set back by this much: all remembered times move along. */
export function clockEvent(byMs: number, now: number): RawEvent {
  const message = `the clock was set back by ${Math.round(byMs / 100) / 10} s`
  return raised(CLOCK_SET_BACK, now, { by_ms: byMs, message })
}

/** End of a session's grace period, if the settings change it. */
export function graceSetEvent(session: Session, until: number, now: number): RawEvent {
  return sessionEvent('GraceSet', session, { until }, now)
}

/** The grace period is over: the session waits for input. */
export function graceEndedEvent(session: Session, now: number): RawEvent {
  return sessionEvent('GraceEnded', session, {}, now)
}

/** A session's context usage, from its transcript. */
export function usageEvent(
  key: string,
  usage: { tokens: number; contextPct?: number; model?: string },
  now: number,
): RawEvent {
  const { tokens, contextPct, model } = usage
  return raised('UsageObserved', now, {
    session_key: key,
    tokens,
    ...(contextPct === undefined ? {} : { context_pct: contextPct }),
    ...(model === undefined ? {} : { model }),
  })
}

/** A session's cost at list prices, for agents that do not report it. */
export function costEvent(key: string, costUsd: number, now: number): RawEvent {
  return raised('UsageObserved', now, { session_key: key, cost_usd: costUsd })
}

/** The path of a session's transcript, for an agent whose hooks name it late. */
export function transcriptEvent(key: string, path: string, now: number): RawEvent {
  return raised('TranscriptObserved', now, { session_key: key, transcript_path: path })
}

/** A tool call in the transcript that no hook announced, so nobody could decide about it. */
export function uncoveredEvent(
  session: Session,
  call: { name: string; useId: string; at: number },
  now: number,
): RawEvent {
  const { agent, agentVersion } = session
  const fields = {
    of_agent: agent,
    ...(agentVersion === undefined ? {} : { of_version: agentVersion }),
    tool_name: call.name,
    tool_use_id: call.useId,
    called_at: call.at,
    message: `${call.name}: no hook announced this call`,
  }
  return sessionEvent('ToolCallUncovered', session, fields, now)
}

/** One session runs inside another. */
export function parentEvent(key: string, parent: string, now: number): RawEvent {
  return raised('ParentObserved', now, { session_key: key, parent_key: parent })
}

/** A session continues the conversation of another. */
export function originEvent(key: string, origin: string, conversation: string, now: number): RawEvent {
  return raised('OriginObserved', now, { session_key: key, origin_id: origin, conversation_id: conversation })
}

/** A turn's summary. `lastAnswer` is set if its Stop lacks it. */
export function summarizedEvent(
  session: Pick<Session, 'key' | 'id'>,
  summed: { title: string; summary: string; by: string; cause: string; lastAnswer?: string },
  now: number,
): RawEvent {
  const { title, summary, by, cause, lastAnswer } = summed
  return raised('SessionSummarized', now, {
    session_key: session.key,
    session_id: session.id,
    title,
    summary,
    by,
    cause,
    ...(lastAnswer === undefined ? {} : { last_answer: lastAnswer }),
  })
}

export function titleEvent(key: string, title: string, now: number): RawEvent {
  return raised('TitleObserved', now, { session_key: key, title })
}

/** The agent's version, from its transcript. */
export function versionObserved(key: string, version: string, now: number): RawEvent {
  return raised('VersionObserved', now, { session_key: key, version })
}

/** The event that an agent should have sent, with the evidence for it. */
export function inferredEvent(session: Session, healed: Inferred, now: number): RawEvent {
  return fromObserver(session, healed.at, now, {
    hook_event_name: healed.type,
    reason: healed.reason,
    ...(healed.prompt === undefined ? {} : { prompt: healed.prompt }),
    ...(healed.error === undefined ? {} : { error: healed.error }),
    ...(healed.details === undefined ? {} : { error_details: healed.details }),
    ...(healed.message === undefined ? {} : { last_assistant_message: healed.message }),
  })
}

/** A session that its agent opened and no hook has reported. */
export function openedEvent(
  agent: string,
  opened: { sessionId: string; at: number; source: 'startup' | 'resume'; cwd?: string; pid?: number },
  now: number,
): RawEvent {
  const { sessionId, at, source, cwd, pid } = opened
  return {
    ...fromObserver({ agent, id: sessionId }, Math.min(at, now), now, {
      hook_event_name: 'SessionStart',
      source,
      ...(cwd === undefined ? {} : { cwd }),
      reason: 'opened: the agent lists it among its open sessions',
    }),
    client: { env: {}, ...(pid === undefined ? {} : { agentPid: pid }) },
  }
}

/** A session that only its transcript shows: its agent runs no hooks. `at` is not later than its first call. */
export function hooklessEvent(
  agent: string,
  found: {
    sessionId: string
    at: number
    path: string
    env: Readonly<Record<string, string>>
    cwd?: string
    pid?: number
  },
  now: number,
): RawEvent {
  const { sessionId, at, path, env, cwd, pid } = found
  return {
    ...fromObserver({ agent, id: sessionId }, at, now, {
      hook_event_name: 'SessionStart',
      source: 'startup',
      transcript_path: path,
      ...(cwd === undefined ? {} : { cwd }),
      reason: HOOKLESS,
    }),
    client: { env, ...(pid === undefined ? {} : { agentPid: pid }) },
  }
}

/** A permission that gantry asks a person for because its hook is held; perhaps the agent itself asks nobody. */
export function heldEvent(event: HookEvent, now: number): RawEvent {
  const { agentId, at, tool } = event
  return fromObserver(whose(event), at, now, {
    hook_event_name: 'PermissionRequest',
    tool_name: tool?.name,
    tool_input: tool?.input,
    ...(agentId === undefined ? {} : { agent_id: agentId }),
    reason: 'held: a person is asked',
  })
}

/** An answered dialog: its command runs. */
export function resolvedEvent(
  session: Session,
  tool: string,
  call: string,
  reason: string,
  now: number,
): RawEvent {
  return fromObserver(session, now, now, {
    hook_event_name: 'PermissionResolved',
    tool_name: tool,
    tool_use_id: call,
    reason,
  })
}

/** A refused dialog: its tool does not run, and no agent reports that. */
export function refusedEvent(
  session: Session,
  { tool, agentId }: Pick<HookEvent, 'tool' | 'agentId'>,
  call: string | undefined,
  reason: string,
  now: number,
): RawEvent {
  return fromObserver(session, now, now, {
    hook_event_name: 'PermissionDenied',
    tool_name: tool?.name,
    tool_input: tool?.input,
    ...(call === undefined ? {} : { tool_use_id: call }),
    ...(agentId === undefined ? {} : { agent_id: agentId }),
    reason,
  })
}

/** No agent reports that a refused prompt starts no turn. */
export function deniedPromptEvent(event: HookEvent, verdict: Verdict, now: number): RawEvent {
  return afterDenial(event, verdict, now, { hook_event_name: 'UserPromptDenied' })
}

/** Nor that a denied call was not made. */
export function deniedCallEvent(event: HookEvent, verdict: Verdict, now: number): RawEvent {
  const { name, input, useId } = event.tool ?? {}
  return afterDenial(event, verdict, now, {
    hook_event_name: 'PermissionDenied',
    tool_name: name,
    tool_input: input,
    ...(useId === undefined ? {} : { tool_use_id: useId }),
    ...(event.agentId === undefined ? {} : { agent_id: event.agentId }),
  })
}

/** Nor that a turn whose end was blocked goes on. At the time of that end: whatever ended it since is later. */
export function stopBlockedEvent(event: HookEvent, { by, reason }: Verdict, now: number): RawEvent {
  return fromObserver(whose(event), event.at, now, {
    hook_event_name: 'StopBlocked',
    ...(event.agentId === undefined ? {} : { agent_id: event.agentId }),
    reason: ['kept going', by && `by ${by}`].filter(Boolean).join(' ') + (reason ? `: ${reason}` : ''),
    ...(by === undefined ? {} : { by }),
    cause: event.id,
  })
}

function afterDenial(
  event: HookEvent,
  { by, reason }: Pick<Verdict, 'by' | 'reason'>,
  now: number,
  fields: Record<string, unknown>,
): RawEvent {
  const why = [by === undefined ? 'refused' : `refused by ${by}`, reason].filter(Boolean).join(': ')
  return fromObserver(whose(event), Math.max(now, event.at), now, {
    ...{ ...fields, reason: why, ...(by === undefined ? {} : { by }) },
    cause: event.id,
  })
}

function whose({ agent, sessionId: id, cwd }: HookEvent): Pick<Session, 'agent' | 'id' | 'cwd'> {
  return { agent, id, ...(cwd === undefined ? {} : { cwd }) }
}

/** An event that nobody received, found in the agent's transcript. */
export interface Missed {
  readonly type:
    | 'UserPromptSubmit'
    | 'PreToolUse'
    | 'PostToolUse'
    | 'PostToolUseFailure'
    | 'PermissionDenied'
    | Inferred['type']
  readonly at: number
  readonly evidence: string
  /** Distinguishes it from others of its type at the same time. */
  readonly what: string
  readonly fields: Record<string, unknown>
}

/** The id derives from the content: found again, it is the same event, and the journal has it already. */
export function missedEvent(
  session: Pick<Session, 'key' | 'agent' | 'id' | 'cwd'>,
  missed: Missed,
  now: number,
): RawEvent {
  const { type, at, evidence, what, fields } = missed
  const reason = `missed: ${evidence}`
  const payload = { ...inItsWords(session.agent, type, fields), reason }
  const said = `${session.key}\n${type}\n${at}\n${what}`
  return {
    ...fromObserver(session, at, now, payload),
    id: `missed-${new Bun.CryptoHasher('sha256').update(said).digest('hex').slice(0, ID_CHARS)}`,
  }
}

const ID_CHARS = 26

/** Under the agent's own name for it, or the canonical one. */
function inItsWords(agent: string, type: string, fields: Missed['fields']): Record<string, unknown> {
  const { events } = agentFor(agent)
  const named = (one: string) =>
    one in events ? one : Object.keys(events).find((name) => events[name]?.type === one)
  const name = named(type)
  if (name !== undefined || type !== 'PostToolUseFailure') return { hook_event_name: name ?? type, ...fields }
  // Gemini has one event for both: a failure is marked in the response.
  const { error: message, ...others } = fields
  return { hook_event_name: named('PostToolUse') ?? type, ...others, tool_response: { error: { message } } }
}

/** For events without their own function here. It changes no session; `sessionEvent` makes one that may. */
export function raisedEvent(
  name: RaisedType,
  payload: Readonly<Record<string, unknown>>,
  now: number,
): RawEvent {
  return raised(name, now, payload)
}

/** About a session, which may change by it: the key says which, the id and the folder let streams and filters find it. */
export function sessionEvent(
  name: RaisedType,
  { key, id, cwd }: Pick<Session, 'key' | 'id' | 'cwd'>,
  payload: Readonly<Record<string, unknown>>,
  now: number,
): RawEvent {
  return raised(name, now, {
    session_key: key,
    session_id: id,
    ...(cwd === undefined ? {} : { cwd }),
    ...payload,
  })
}

function fromObserver(
  session: Pick<Session, 'agent' | 'id' | 'cwd'>,
  at: number,
  now: number,
  payload: Record<string, unknown>,
): RawEvent {
  return {
    id: newId(),
    at: Math.min(at, now), // a transcript line may be ahead of the clock once that was set back
    receivedAt: now,
    agent: session.agent,
    client: { env: {} },
    transport: 'healer',
    // Consumers of hooks rely on a folder in every payload.
    raw: JSON.stringify({
      session_id: session.id,
      ...(session.cwd === undefined ? {} : { cwd: session.cwd }),
      ...payload,
    }),
  }
}

function raised(name: RaisedType, now: number, payload: Record<string, unknown>): RawEvent {
  return {
    id: newId(),
    at: now,
    receivedAt: now,
    agent: OWN_AGENT,
    client: { env: {} },
    transport: 'emit',
    raw: JSON.stringify({ hook_event_name: name, ...payload }),
  }
}
