/** Calls for coordinators: the status of every agent working on an effort, and waiting for one of them. */
import { GantryError } from '../../core/errors.ts'
import type { CallHandlers } from '../../rpc/index.ts'
import { type AgentStatus, byUrgency, mostUrgent } from '../index.ts'
import type { Work } from '../service.ts'

export function awaitCalls(work: Work) {
  return {
    'fleet.status': () => {
      const agents = work.context({}).rows.agents().sort(byUrgency)
      return { status: mostUrgent(agents.map(({ status }) => status as AgentStatus)), agents }
    },
    'fleet.await': ({ timeoutMs, keep, ...where }) =>
      work.signals.wait(timeoutMs, keep, scopeOf(work, where)),
    'fleet.heard': ({ upTo, ...where }) => {
      work.signals.heard(upTo, scopeOf(work, where))
      return null
    },
  } satisfies Partial<CallHandlers>
}

interface Where {
  readonly effort?: number | undefined
  readonly project?: string | undefined
  readonly cwd?: string | undefined
}

function scopeOf(work: Work, { effort, project, cwd }: Where): { effort?: number; project?: number } {
  const { rows, projectOf } = work.context({})
  if (effort !== undefined) {
    if (rows.effort(effort)) return { effort }
    throw new GantryError('VALIDATION_ERROR', `There is no effort ${effort}. See: gantry effort list --all`)
  }
  const folder = project ?? cwd
  const found = folder === undefined ? undefined : projectOf(folder)
  if (found) return { project: found.id }
  if (project === undefined) return {}
  throw new GantryError(
    'VALIDATION_ERROR',
    `There is no project around ${project}: no effort was ever started there. Use --all for all projects.`,
  )
}
