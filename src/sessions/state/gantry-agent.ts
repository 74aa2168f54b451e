/** Events about a session by gantry or a person: stored in the journal, so a rebuild knows them. */
import { type HookEvent, OWN_AGENT } from '../../events/index.ts'
import { without } from './activity.ts'
import { graceOf } from './phase.ts'
import type { Session } from './session.ts'

/** Concerns all sessions. */
export const CLOCK_SET_BACK = 'ClockSetBack'

/** Only from the daemon itself: replayed or external events refer to another clock. */
export function setBackBy({ agent, type, transport, fields }: HookEvent): number | undefined {
  if (type !== CLOCK_SET_BACK || agent !== OWN_AGENT || transport !== 'emit') return undefined
  const byMs = fields?.by_ms
  return typeof byMs === 'number' && byMs > 0 ? byMs : undefined
}

/** The reason in the start of a session that only its transcript shows. */
export const HOOKLESS = 'uncovered: a transcript, and no hook'

const MAX_TITLE_CHARS = 200
const MAX_SUMMARY_CHARS = 1_000
const MAX_ANSWER_CHARS = 4_000
const MAX_ALIASES = 8
const MAX_VERSION_CHARS = 64

/** Undefined if the event does not change the session. */
export function ownChange(session: Session, event: HookEvent, parent?: Session): Session | undefined {
  switch (event.type) {
    case 'SessionRenamed':
      return renamed(session, String(event.fields?.name ?? session.name))
    case 'SessionSeen':
      return { ...session, seen: true }
    case 'TitleObserved':
      return { ...session, title: String(event.fields?.title ?? '') }
    case 'VersionObserved':
      return { ...session, agentVersion: String(event.fields?.version ?? '').slice(0, MAX_VERSION_CHARS) }
    case 'ToolCallUncovered':
      return { ...session, uncoveredCalls: (session.uncoveredCalls ?? 0) + 1 }
    case 'ParentObserved':
      return parent ? { ...session, parentSessionId: parent.id } : undefined
    case 'OriginObserved':
      return continued(session, event)
    case 'SessionSummarized':
      return summarized(session, event)
    case 'TranscriptObserved':
      return withTranscript(session, event.transcriptPath)
    case 'BudgetWarned':
    case 'BudgetReached':
      return {
        ...session,
        budget: { text: String(event.fields?.message ?? '').slice(0, MAX_SUMMARY_CHARS), since: event.at },
      }
    case 'BudgetRaised':
      return session.budget === undefined ? undefined : without(session, 'budget')
    case 'GraceSet':
      return withGrace(session, event.fields?.until)
    case 'GraceEnded':
      return graceOf(session) === undefined
        ? undefined
        : { ...session, turn: { ...session.turn, settled: true } }
    case 'UsageObserved':
      return {
        ...session,
        usage: observedUsage(session, event),
        ...(event.model ? { model: event.model } : {}),
      }
    default:
      return undefined
  }
}

/** A forked session continues the conversation of another. */
function continued(session: Session, { fields }: HookEvent): Session | undefined {
  const { origin_id: origin, conversation_id: conversation } = fields ?? {}
  if (typeof origin !== 'string' || typeof conversation !== 'string') return undefined
  return { ...session, prevSessionId: origin, conversationId: conversation }
}

function summarized(session: Session, { fields, at }: HookEvent): Session | undefined {
  const { title, summary, last_answer: answer } = fields ?? {}
  if (typeof title !== 'string' || typeof summary !== 'string') return undefined
  return {
    ...session,
    summary: { title: title.slice(0, MAX_TITLE_CHARS), text: summary.slice(0, MAX_SUMMARY_CHARS), at },
    // For agents whose Stop lacks the last answer.
    ...(typeof answer === 'string' ? { lastMessage: answer.slice(0, MAX_ANSWER_CHARS) } : {}),
  }
}

function renamed(session: Session, name: string): Session {
  const aliases = [...(session.aliases ?? []), session.name]
    .filter((alias) => alias !== name)
    .slice(-MAX_ALIASES)
  return { ...session, name, aliases }
}

/** The end of the grace period, if it is not the default. */
function withGrace(session: Session, until: unknown): Session | undefined {
  if (typeof until !== 'number' || graceOf(session) === undefined) return undefined
  return { ...session, turn: { ...session.turn, graceUntil: until } }
}

/** A path from a hook wins; a replayed session has none. */
function withTranscript(session: Session, path: string | undefined): Session | undefined {
  if (path === undefined || session.transcriptPath !== undefined || session.replayed) return undefined
  return { ...session, transcriptPath: path }
}

function observedUsage({ usage }: Session, event: HookEvent): Session['usage'] {
  const { tokens, context_pct: contextPct, cost_usd: costUsd } = event.fields ?? {}
  const isSaid = usage.costUsd !== undefined && usage.costEstimated === undefined
  return {
    ...usage,
    ...(isCount(tokens) ? { tokens } : {}),
    ...(isCount(contextPct) ? { contextPct: Math.min(100, contextPct) } : {}),
    ...(isCount(costUsd) && !isSaid ? { costUsd, costEstimated: true } : {}),
  }
}

/** A replayed recording may contain anything. */
function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
