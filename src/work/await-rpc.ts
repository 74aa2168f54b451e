/** Calls of coordinators: what every agent that works on an effort is at, and waiting for one of them. */
import { z } from 'zod'
import { GantryError } from '../core/errors.ts'
import { defineRpc, type Rpc } from '../rpc/index.ts'
import { type AgentStatus, byUrgency, mostUrgent } from './index.ts'
import type { Work } from './service.ts'

const MAX_WAIT_MS = 600_000

/** Whose signals: those of one effort, of the project around a folder, or all. */
const scope = {
  effort: z.int().positive().optional(),
  project: z.string().startsWith('/').optional().describe('A folder in the project'),
  cwd: z
    .string()
    .startsWith('/')
    .optional()
    .describe('As `project`; all where there is no project around it'),
}

export function awaitCalls(work: Work): Rpc[] {
  return [
    defineRpc({
      name: 'fleet.status',
      summary: 'The status of every agent of the work engine, the most urgent first',
      args: z.strictObject({}),
      example: {},
      handle: () => {
        const agents = work.context({}).rows.agents().sort(byUrgency)
        return { status: mostUrgent(agents.map(({ status }) => status as AgentStatus)), agents }
      },
    }),
    defineRpc({
      name: 'fleet.await',
      summary:
        'Waits for a child that is done or stuck (CHILD), for new work (WORK), or for the time (TIMEOUT)',
      args: z.strictObject({
        timeoutMs: z.int().min(0).max(MAX_WAIT_MS).default(25_000),
        keep: z.boolean().default(false).describe('The signals stay until `fleet.heard`'),
        ...scope,
      }),
      example: { timeoutMs: 1000 },
      handle: ({ timeoutMs, keep, ...where }) => work.signals.wait(timeoutMs, keep, scopeOf(work, where)),
    }),
    defineRpc({
      name: 'fleet.heard',
      summary: 'Forgets the signals of `fleet.await` up to a number: they have reached their coordinator',
      args: z.strictObject({ upTo: z.int().nonnegative(), ...scope }),
      example: { upTo: 1763000000001 },
      handle: ({ upTo, ...where }) => {
        work.signals.heard(upTo, scopeOf(work, where))
        return null
      },
    }),
  ]
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
    `There is no project around ${project}: no effort was ever begun there. All are meant by --all.`,
  )
}
