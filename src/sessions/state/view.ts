/** A session's public record: in `gantry sessions --json`, the streams and the SDK. */
import { childPhase, isStale, needsYou, type Phase, phaseOf } from './phase.ts'
import type { Attention, Background, Denial, Session, Usage } from './session.ts'

/** Facts that are shown as they are. */
type Shown = Pick<
  Session,
  | 'model'
  | 'permissionMode'
  | 'transcriptPath'
  | 'pane'
  | 'tmux'
  | 'pid'
  | 'firstPrompt'
  | 'lastPrompt'
  | 'lastMessage'
  | 'title'
  | 'todos'
  | 'prevSessionId'
  | 'conversationId'
  | 'parentSessionId'
  | 'uncoveredCalls'
  | 'hookless'
  | 'replayed'
  | 'cause'
>

export interface SessionView extends Shown {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly aliases?: readonly string[]
  readonly agent: string
  readonly agentVersion?: string
  readonly phase: Phase
  readonly detail?: string
  readonly attention: readonly Omit<Attention, 'call' | 'print'>[]
  /** A person must act before it can continue. */
  readonly needsYou: boolean
  /** Requests that `gantry approve` and `deny` can answer. */
  readonly approvals?: readonly ApprovalGlance[]
  readonly error?: Session['error']
  /** What was refused last, until the next tool call or prompt, and how many were in all. */
  readonly denied?: Denial
  readonly denials?: number
  readonly turn: Session['turn']
  readonly openTools: readonly { readonly name: string; readonly since: number; readonly agentId?: string }[]
  readonly background: readonly Background[]
  readonly children: readonly ChildView[]
  readonly seen: boolean
  readonly stale: boolean
  readonly usage: Usage & { readonly near: 'none' | 'warn' | 'full' }
  readonly generation: number
  readonly startedAt: number
  readonly endedAt?: number
  /** From its start to its end, or to the time of this record. */
  readonly durationMs: number
  readonly lastActivity: number
  readonly cwd?: string
  readonly host?: string
  readonly project?: string
  readonly root?: string
  readonly branch?: string
  readonly worktree?: string
  /** Result of the last turn. */
  readonly summary?: string
}

export interface ApprovalGlance {
  readonly id: string
  readonly tool: string
  /** The tool's input on one line. */
  readonly line: string
  readonly since: number
  readonly until: number
}

export interface ChildView {
  readonly agentId: string
  readonly type: string
  readonly phase: Phase
  readonly startedAt: number
  readonly endedAt?: number
  /** A teammate that waits for work. */
  readonly idle?: true
  readonly parentId?: string
  readonly inferred: boolean
}

const WARN_PCT = 80
const FULL_PCT = 90

export function viewOf(session: Session, now: number): SessionView {
  const {
    closedCalls: _,
    starting: __,
    compacting: ___,
    prompted: ____,
    generationAt: _____,
    lastPromptAt: ______,
    stoppedChildren: _______,
    awaitsPrev: ________,
    endReason: _________,
    toolCalls: __________,
    workedMs: ___________,
    budget: ____________,
    summary: _____________,
    ...facts
  } = session
  return {
    ...facts,
    ...glanceOf(session),
    openTools: session.openTools.map(({ call: _call, print: _print, ...shown }) => shown),
    children: session.children.map((child) => ({ ...child, phase: childPhase(session, child.agentId) })),
    stale: isStale(session, now),
    durationMs: Math.max(0, (session.endedAt ?? now) - session.startedAt),
  }
}

type Glance = Pick<SessionView, 'title' | 'summary' | 'phase' | 'needsYou' | 'attention' | 'usage'>

/** What is shown otherwise than it is kept; cheap enough for every event. */
export function glanceOf(session: Session): Glance {
  const { attention, usage, summary } = session
  const pct = usage.contextPct ?? 0
  const title = session.title ?? summary?.title // one from the agent or a person wins; else the last turn's
  return {
    ...(title === undefined ? {} : { title }),
    ...(summary === undefined ? {} : { summary: summary.text }),
    phase: phaseOf(session),
    needsYou: needsYou(session),
    attention: attention.map(({ call: _call, print: _print, ...shown }) => shown),
    usage: { ...usage, near: pct >= FULL_PCT ? 'full' : pct >= WARN_PCT ? 'warn' : 'none' },
  }
}
