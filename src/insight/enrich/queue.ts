/** Events in the enrichment queue, before and after their context is known. */
import { type FileChange, type HookEvent, OWN_AGENT } from '../../events/index.ts'
import type { ContextSpan } from '../../store/index.ts'
import type { EventSummary } from './event-summary.ts'
import type { FinishedCall } from './file-snapshots.ts'

/** A queued event. It keeps its payload only if the SDK log will need it. */
export interface Waiting {
  readonly seq: number
  readonly summary: EventSummary
  readonly call: FinishedCall | undefined
  readonly event: HookEvent | undefined
}

export interface Enriched extends Waiting {
  readonly span: ContextSpan
  readonly isNew: boolean
  readonly files: readonly FileChange[]
}

/** True for internal events and events without a session. */
export function isOwn({ agent, sessionId }: Pick<EventSummary, 'agent' | 'sessionId'>): boolean {
  return agent === OWN_AGENT || sessionId === ''
}
