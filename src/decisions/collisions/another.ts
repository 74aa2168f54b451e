/** Whether a write or a session is somebody else's, seen from the session that writes or starts. */
import { isInTerminal } from '../../core/processes/process-tree.ts'
import type { HookEvent } from '../../events/index.ts'
import { isResting, phaseOf, type Session } from '../../sessions/state/index.ts'

export interface Me {
  readonly key: string
  readonly agentId: string | undefined
  readonly session: Session | undefined
}

/** A living session that at this time is not part of this one's conversation, nor its parent or child. */
export function isAnother(other: Session, { key, session }: Me, at: number): boolean {
  if (other.key === key || other.endedAt !== undefined || other.replayed) return false
  if (!session) return true
  if (session.parentSessionId === other.id || other.parentSessionId === session.id) return false
  const isSameTalk =
    session.agent === other.agent &&
    (session.conversationId ?? session.id) === (other.conversationId ?? other.id)
  // After a fork both may go on; what the other did before it, this one did, too.
  return !(isSameTalk && at <= session.startedAt)
}

/**
 * Two sub-agents that run side by side do not see each other's work. What one that has ended wrote is the work of its parent, which
 * hands it on; and the parent itself knows whom it started.
 */
export function isSibling(agentId: string | undefined, me: Me): boolean {
  if (agentId === undefined || me.agentId === undefined || agentId === me.agentId) return false
  const child = me.session?.children.find((one) => one.agentId === agentId)
  return child !== undefined && child.endedAt === undefined && child.idle === undefined
}

/** Perhaps under a new id, while its old one is not over yet. */
const RESUMES: ReadonlySet<string | undefined> = new Set(['resume', 'fork'])

/**
 * It rests, and may be what the starting session was before: it resumes, or its agent starts another conversation in the same
 * terminal. A process without a terminal, such as a server, has several.
 */
export function mayBeItself(other: Session, event: HookEvent): boolean {
  if (!isResting(phaseOf(other)) || other.agent !== event.agent) return false
  if (RESUMES.has(event.source)) return true
  return other.pid !== undefined && other.pid === event.client.agentPid && isInTerminal(other.pid)
}
