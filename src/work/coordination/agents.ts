/** `agents.status`, which displays and coordinators read. */
import { ENGINE_ORDER, type EngineStatus } from '../../sessions/state/index.ts'
import type { EffortRow } from '../../store/index.ts'
import type { WorkContext } from '../context.ts'

export type AgentStatus = EngineStatus

/** Statuses that a coordinator is signalled about. */
const CALLING: ReadonlySet<AgentStatus> = new Set<AgentStatus>(['done', 'attention', 'error'])

const MAX_DETAIL_CHARS = 200

/** An agent without a name is identified by its effort. */
export function agentIdOf(context: Pick<WorkContext, 'env'>, effort: EffortRow): string {
  return context.env.AGENT_ID ?? effort.agentId ?? `effort-${effort.id}`
}

export function writeStatus(
  context: Pick<WorkContext, 'rows' | 'now' | 'signal'>,
  effort: EffortRow,
  id: string,
  status: AgentStatus,
  detail?: string,
): void {
  const { rows, now } = context
  const before = rows.agent(id)?.status
  const short = detail?.slice(0, MAX_DETAIL_CHARS) ?? null
  rows.putAgent({ id, label: id, effortId: effort.id, status, detail: short, updatedAt: now })
  if (status !== before && CALLING.has(status))
    context.signal({ kind: 'CHILD', about: id, detail: status, effort: effort.id, at: now })
}

/** The most urgent of these statuses. */
export function mostUrgent(statuses: Iterable<AgentStatus>): AgentStatus {
  const set = new Set(statuses)
  return ENGINE_ORDER.find((status) => set.has(status)) ?? 'done'
}

/** Sorts the most urgent first. */
export function byUrgency(a: { readonly status: string }, b: { readonly status: string }): number {
  return ENGINE_ORDER.indexOf(a.status as AgentStatus) - ENGINE_ORDER.indexOf(b.status as AgentStatus)
}
