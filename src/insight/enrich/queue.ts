/** Events in the enrichment queue, before and after their context is known. */
import { type FileChange, type HookEvent, OWN_AGENT } from '../../events/index.ts'
import type { ContextSpan } from '../../store/index.ts'
import type { Brief } from './event-summary.ts'
import type { Over } from './file-snapshots.ts'

/** A queued event. It keeps its payload only if the SDK log will need it. */
export interface Waiting {
  readonly seq: number
  readonly brief: Brief
  readonly over: Over | undefined
  readonly event: HookEvent | undefined
}

export interface Enriched extends Waiting {
  readonly span: ContextSpan
  readonly isNew: boolean
  readonly files: readonly FileChange[]
}

/** True for internal events and events without a session. */
export function isOwn({ agent, sessionId }: Pick<Brief, 'agent' | 'sessionId'>): boolean {
  return agent === OWN_AGENT || sessionId === ''
}
