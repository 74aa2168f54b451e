/** Events without a start or an end. */
import type { HookEvent } from '../events/index.ts'
import type { EntryKind } from './entry.ts'

export function instantEntry(event: HookEvent): readonly [EntryKind, string, string | undefined] {
  const fields = event.fields ?? {}
  switch (event.type) {
    case 'SessionStart':
      return ['session', 'start', [event.source, event.model].filter(Boolean).join(' · ')]
    case 'PreCompact':
      return ['window', 'compaction', event.trigger]
    case 'EffortDehydrated':
      return ['window', 'written down', `effort ${fields.effort_id}: the next window continues from here`]
    case 'RestartRequested':
      return ['window', 'restart', event.reason]
    case 'TaskCreated':
    case 'TaskCompleted':
      return [
        'note',
        'task',
        `${event.type.slice(4).toLowerCase()}: ${event.task?.subject ?? event.task?.id}`,
      ]
    case 'TeammateIdle':
      return ['agent', 'teammate', `${event.teammate?.name ?? ''} idle`]
    case 'CollisionFound':
      return ['note', 'collision', String(fields.message ?? event.message ?? '')]
    case 'ToolCallUncovered':
      return ['note', 'uncovered', `${event.tool?.name ?? 'a tool'}: no hook announced this call`]
    case 'SchemaDrift':
      return ['note', 'drift', String(fields.message ?? '')]
    case 'BudgetWarned':
    case 'BudgetReached':
    case 'BudgetRaised':
      return ['note', 'budget', String(fields.message ?? '')]
    case 'LoopDetected':
      return ['note', 'loop', String(fields.message ?? '')]
    default:
      return ['note', event.type, event.message ?? event.reason ?? event.source]
  }
}
