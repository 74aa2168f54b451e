/** Tools about efforts: what is to be done in this project, and a line of progress. */
import { z } from 'zod'
import { call, type EffortView } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { counted } from '../core/text/text.ts'
import { utcTime } from '../core/time/days.ts'
import { row, text } from './answer.ts'
import { type Asked, tool } from './tool.ts'

const MAX_LISTED = 30
const MAX_MESSAGES = 20
const MAX_PROJECTS = 10_000

const which = z.int().positive().describe('Number')

export const efforts = tool({
  name: 'efforts',
  description: 'Pieces of work in this project that outlive a context window; one of them with its log',
  args: z.object({ effort: which.optional(), finished: z.boolean().default(false) }),
  async answer({ effort, finished }, asked) {
    const own = await ownEfforts(asked, finished || effort !== undefined)
    if (effort !== undefined) return oneEffort(effort, own, asked)
    if (own.length === 0)
      return ['This project has no effort. A person or you may start one: gantry effort start <skill>']
    return own.slice(0, MAX_LISTED).map(effortLine)
  },
})

export const logProgress = tool({
  name: 'log_progress',
  description: "Log one line of progress to this project's effort; resets its heartbeat",
  args: z.object({ text: z.string().min(1).max(4_000), effort: which.optional() }),
  writes: true,
  async answer({ text: said, effort }, asked) {
    const { places, project } = asked
    if (effort !== undefined) mustBeOwn(effort, await ownEfforts(asked, true))
    const logged = await call(places, 'effort.log', {
      text: said,
      ...(effort === undefined ? { cwd: project.folder } : { effort }),
    })
    const where = logged.artifact ?? logged.problem ?? 'the journal'
    return [`Logged to effort ${logged.id} (${text(logged.title, 120)}): ${text(where)}`]
  },
})

async function ownEfforts({ places, project }: Asked, all: boolean): Promise<readonly EffortView[]> {
  const { rows } = await call(places, 'query', {
    sql: 'SELECT e.id, p.path FROM efforts e JOIN tasks t ON t.dir_path = e.task_id JOIN projects p ON p.id = t.project_id',
    limit: MAX_PROJECTS,
  })
  const folders = new Map(rows.map(([id, path]) => [Number(id), String(path)]))
  return project.inside(await call(places, 'effort.list', { all }), ({ id }) => folders.get(id))
}

async function oneEffort(id: number, own: readonly EffortView[], { places }: Asked): Promise<string[]> {
  mustBeOwn(id, own)
  const one = await call(places, 'effort.get', { effort: id, messages: MAX_MESSAGES })
  return [
    effortLine(one),
    `task folder: ${text(one.taskId)}`,
    ...one.artifacts.slice(0, MAX_LISTED).map(({ path }) => `file: ${text(path)}`),
    ...one.messages.map(({ at, role, content }) => row(utcTime(at), text(role, 20), text(content, 600))),
  ]
}

function mustBeOwn(id: number, own: readonly EffortView[]): void {
  if (own.some((one) => one.id === id)) return
  throw new GantryError(
    'VALIDATION_ERROR',
    `There is no effort ${id} in this project. The tool "efforts" lists them.`,
  )
}

function effortLine(one: EffortView): string {
  return row(
    `effort ${one.id}`,
    text(one.title, 120),
    text(one.skill, 64),
    one.lifecycle,
    one.currentPhase !== null && `phase ${text(one.currentPhase, 64)}`,
    counted(one.openSessions, 'open session'),
    `${counted(one.heartbeat, 'call')} since the last log`,
    one.dehydrated && 'written down for the next window',
  )
}
