/**
 * A session in agent-tmux-monitor's `SessionView`. Its client rejects a message that lacks a required field, so all of
 * them are always present.
 */
import {
  type AtmStatus,
  atm,
  type Child,
  childPhase,
  isStale,
  type Session,
} from '../../sessions/state/index.ts'

/** The part of a session's location that is shown. */
interface AtmPlace {
  readonly root?: string
  /** The main repository if `root` is a worktree; else `root` itself. */
  readonly main?: string
  readonly branch?: string
}

export interface AtmView {
  readonly id: string
  readonly id_short: string
  readonly agent_type: string
  readonly harness: string
  readonly model: string
  readonly status: 'idle' | 'working' | 'attention_needed'
  readonly status_label: string
  readonly activity_detail: string | null
  readonly should_blink: boolean
  readonly status_icon: string
  readonly context_percentage: number
  readonly context_display: string
  readonly context_warning: boolean
  readonly context_critical: boolean
  readonly cost_display: string
  readonly cost_usd: number
  readonly duration_display: string
  readonly duration_seconds: number
  readonly lines_display: string
  readonly working_directory: string | null
  readonly needs_attention: boolean
  readonly last_activity_display: string
  readonly age_display: string
  readonly started_at: string
  readonly last_activity: string
  readonly tmux_pane: string | null
  readonly project_root?: string
  readonly worktree_path?: string
  readonly worktree_branch?: string
  readonly parent_session_id?: string
  readonly child_session_ids: readonly string[]
  readonly first_prompt?: string
  /** Not part of its protocol; its clients ignore them. */
  readonly pid: number | null
  readonly agent_id: string | null
  readonly is_stale: boolean
}

const ID_CHARS = 8
const WARNING_PCT = 80
const CRITICAL_PCT = 90
const USUAL_WINDOW_TOKENS = 200_000 // that tool's assumption for every model
const FOLDER_CHARS = 30
const FOLDER_END_CHARS = 27

const LOOKS = {
  Idle: { status: 'idle', status_label: 'idle', status_icon: '-' },
  Working: { status: 'working', status_label: 'working', status_icon: '>' },
  AttentionNeeded: { status: 'attention_needed', status_label: 'needs input', status_icon: '!' },
} as const

/** The session and its running sub-agents; empty for an ended session. */
export function atmViews(session: Session, place: AtmPlace = {}, now = Date.now()): AtmView[] {
  const status = atm(session)
  if (!status) return []
  const running = session.children.filter((child) => child.endedAt === undefined)
  const idOf = (child: Child) => `${session.id}/${child.agentId}`
  const childrenOf = (parentId: string | undefined) =>
    running.filter((child) => aboveOf(child, running) === parentId).map(idOf)
  const { usage } = session
  const main: AtmView = {
    ...commonOf(session, place),
    ...headOf(session.id, 'main'),
    ...statusOf(status, usage.contextPct),
    ...contextOf(usage),
    ...costOf(session.costs?.[''] ?? usage.costUsd ?? 0),
    ...timesOf(session.startedAt, session.lastActivity, now),
    lines_display: `+${usage.linesAdded ?? 0} -${usage.linesRemoved ?? 0}`,
    ...(session.parentSessionId === undefined ? {} : { parent_session_id: session.parentSessionId }),
    child_session_ids: childrenOf(undefined),
    ...(session.firstPrompt === undefined ? {} : { first_prompt: session.firstPrompt }),
    agent_id: null,
    is_stale: isStale(session, now),
  }
  const children = running.map((child): AtmView => {
    const above = aboveOf(child, running)
    const tools = session.openTools.filter(({ agentId }) => agentId === child.agentId)
    return {
      ...commonOf(session, place),
      ...headOf(idOf(child), agentType(child.type)),
      ...statusOf(childStatus(session, child, tools.at(-1)?.name), undefined),
      ...contextOf({}),
      ...costOf(session.costs?.[child.agentId] ?? 0),
      ...timesOf(child.startedAt, Math.max(child.startedAt, ...tools.map(({ since }) => since)), now),
      lines_display: '+0 -0',
      parent_session_id: above === undefined ? session.id : `${session.id}/${above}`,
      child_session_ids: childrenOf(child.agentId),
      agent_id: child.agentId,
      is_stale: false,
    }
  })
  return [main, ...children]
}

/** The parent sub-agent if it still runs; else the session. */
function aboveOf({ parentId }: Child, running: readonly Child[]): string | undefined {
  return running.some((one) => one.agentId === parentId) ? parentId : undefined
}

function headOf(id: string, type: string): Pick<AtmView, 'id' | 'id_short' | 'agent_type'> {
  return { id, id_short: id.slice(0, ID_CHARS), agent_type: type }
}

function commonOf({ agent, model, cwd, pane, pid }: Session, { root, main = root, branch }: AtmPlace) {
  return {
    harness: agent,
    model: modelName(model),
    working_directory: cwd === undefined ? null : shortFolder(cwd),
    tmux_pane: pane ?? null,
    pid: pid ?? null,
    ...(root === undefined ? {} : { worktree_path: root }),
    ...(main === undefined ? {} : { project_root: main }),
    ...(branch === undefined ? {} : { worktree_branch: branch }),
  }
}

function childStatus(session: Session, child: Child, tool: string | undefined): AtmStatus {
  const phase = childPhase(session, child.agentId)
  const asked = session.attention.find(({ agentId }) => agentId === child.agentId)
  if (phase === 'blocked') return { status: 'AttentionNeeded', reason: asked?.reason ?? 'Permission' }
  return phase === 'idle' ? { status: 'Idle' } : { status: 'Working', detail: tool ?? null }
}

function statusOf(status: AtmStatus, contextPct = 0) {
  const isAsking = status.status === 'AttentionNeeded'
  const detail = isAsking ? status.reason : status.status === 'Working' ? status.detail : null
  return {
    ...LOOKS[status.status],
    activity_detail: detail,
    should_blink: isAsking,
    needs_attention: isAsking || contextPct >= WARNING_PCT,
  }
}

function contextOf({ contextPct = 0, tokens, contextWindow }: Session['usage']) {
  const window = contextWindow ?? USUAL_WINDOW_TOKENS
  const used = tokens ?? (contextPct / 100) * window
  return {
    context_percentage: contextPct,
    context_display: `${contextPct.toFixed(1)}% (${tokenCount(used)}/${tokenCount(window)})`,
    context_warning: contextPct >= WARNING_PCT,
    context_critical: contextPct >= CRITICAL_PCT,
  }
}

function tokenCount(count: number): string {
  if (count < 1_000) return String(Math.round(count))
  if (count < 10_000) return `${(count / 1_000).toFixed(1)}K`
  return count < 1_000_000 ? `${Math.floor(count / 1_000)}K` : `${(count / 1_000_000).toFixed(1)}M`
}

/** Fewer digits for larger amounts: $0.0050, $0.35, $12.3, $150. */
function costOf(usd: number) {
  const digits = usd > 0 && usd < 0.01 ? 4 : usd < 10 ? 2 : usd < 100 ? 1 : 0
  return { cost_usd: usd, cost_display: `$${usd.toFixed(digits)}` }
}

function timesOf(startedAt: number, lastActivity: number, now: number) {
  const seconds = Math.max(0, now - startedAt) / 1000
  return {
    duration_seconds: seconds,
    duration_display: lasting(seconds),
    last_activity_display: ago(now - lastActivity),
    age_display: ago(now - startedAt),
    started_at: new Date(startedAt).toISOString(),
    last_activity: new Date(lastActivity).toISOString(),
  }
}

/** `35s`, `2m 15s`, `1h 30m`. */
function lasting(all: number): string {
  const seconds = Math.floor(all)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const two = (a: string, rest: number, unit: string) => (rest === 0 ? a : `${a} ${rest}${unit}`)
  if (minutes === 0) return `${seconds}s`
  return hours === 0 ? two(`${minutes}m`, seconds % 60, 's') : two(`${hours}h`, minutes % 60, 'm')
}

function ago(ms: number): string {
  if (ms < 0) return 'now'
  const [count, unit] =
    ms < 60_000
      ? [ms / 1000, 's']
      : ms < 3_600_000
        ? [ms / 60_000, 'm']
        : ms < 86_400_000
          ? [ms / 3_600_000, 'h']
          : [ms / 86_400_000, 'd']
  return `${Math.floor(Number(count))}${unit} ago`
}

/** That tool's short names for Claude Code's own sub-agents; others keep their names. */
const AGENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['general-purpose', 'main'],
  ['explore', 'explore'],
  ['explorer', 'explore'],
  ['plan', 'plan'],
  ['planner', 'plan'],
  ['code-reviewer', 'review'],
  ['codereview', 'review'],
  ['file-search', 'search'],
  ['filesearch', 'search'],
])

function agentType(type: string): string {
  return AGENT_TYPES.get(type.toLowerCase().replaceAll('_', '-')) ?? (type || 'agent')
}

/** `claude-opus-4-5-20251101` is Opus 4.5, `claude-3-5-haiku-20241022` Haiku 3.5; other models only lose their date. */
export function modelName(id: string | undefined): string {
  if (id === undefined || id === '') return 'Unknown'
  const plain = id.replace(/-\d{8}$/, '')
  const found =
    /^claude-(?<family>opus|sonnet|haiku)-(?<major>\d+)(?:-(?<minor>\d{1,2}))?$/.exec(plain) ??
    /^claude-(?<major>\d+)-(?<minor>\d+)-(?<family>opus|sonnet|haiku)$/.exec(plain)
  const { family = '', major = '', minor } = found?.groups ?? {}
  if (!found) return plain
  const name = `${family.slice(0, 1).toUpperCase()}${family.slice(1)}`
  return `${name} ${minor === undefined ? major : `${major}.${minor}`}`
}

function shortFolder(folder: string): string {
  return folder.length > FOLDER_CHARS ? `...${folder.slice(-FOLDER_END_CHARS)}` : folder
}
