/** Calls that show efforts and tasks, and the format in which all calls return an effort. */
import { GantryError } from '../core/errors.ts'
import type { CallHandlers } from '../rpc/index.ts'
import { artifactsOf, effortFor, settingsOf, taskTitle } from './index.ts'
import type { Work } from './service.ts'

export function effortViews(work: Work) {
  const rows = () => work.context({}).rows
  return {
    'effort.list': ({ all, session }) => {
      const found =
        session === undefined ? rows().efforts(all ? {} : { active: true }) : rows().effortsOf(session)
      return found.map(({ id }) => effortView(work, id))
    },
    'effort.get': ({ effort, cwd, messages }, { env }) => {
      const context = work.context(env)
      const found = effortFor(context, effort, cwd)
      return {
        ...effortView(work, found.id),
        phases: rows().phases(found.id),
        sessions: rows().sessions(found.id),
        messages: rows().latestMessages(found.id, messages),
        artifacts: artifactsOf(found),
        settings: settingsOf(found, context.settings),
      }
    },
    'task.list': () =>
      rows()
        .tasks()
        .map((task) => {
          const efforts = rows().efforts({ task: task.dirPath })
          const active = efforts.some(({ lifecycle }) => lifecycle === 'active')
          return { ...task, active, efforts: efforts.map(({ id }) => effortView(work, id)) }
        }),
  } satisfies Partial<CallHandlers>
}

/** An effort as effortView to people. */
export function effortView(work: Work, id: number) {
  const { rows } = work.context({})
  const effort = rows.effort(id)
  if (!effort)
    throw new GantryError('VALIDATION_ERROR', `There is no effort ${id}. See: gantry effort list --all`)
  const sessions = rows.sessions(id)
  const open = sessions.filter(({ endedAt }) => endedAt === null)
  return {
    ...effort,
    title: taskTitle(rows, effort),
    windows: sessions.filter(({ agentId }) => agentId === '').length,
    openSessions: open.length,
    heartbeat: open.at(-1)?.heartbeatCounter ?? 0,
    contextUsage: open.at(-1)?.contextUsage ?? 0,
    dehydrated: sessions.findLast(({ agentId }) => agentId === '')?.dehydrationPayload != null,
  }
}
