/** Events on their way through enrichment: before what is around them is known, and after. */
import { type FileChange, type HookEvent, OWN_AGENT } from '../../events/index.ts'
import type { ContextSpan } from '../../store/index.ts'
import type { Brief } from './event-summary.ts'
import type { Over } from './file-snapshots.ts'

/** What waits: an event's payload only where it will be written down again. */
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

/** Gantry's own, or nobody's. */
export function isOwn({ agent, sessionId }: Pick<Brief, 'agent' | 'sessionId'>): boolean {
  return agent === OWN_AGENT || sessionId === ''
}
