/** Calls that show efforts and tasks, and the form in which all calls give an effort back. */
import { z } from 'zod'
import { GantryError } from '../core/errors.ts'
import { defineRpc, type Rpc } from '../rpc/index.ts'
import { artifactsOf, effortFor, settingsOf, taskTitle } from './index.ts'
import type { Work } from './service.ts'

const MAX_MESSAGES = 2_000

/** An effort by its number, or the one of a folder. */
export const which = { effort: z.int().positive().optional(), cwd: z.string().optional() }

export function effortViews(work: Work): Rpc[] {
  const rows = () => work.context({}).rows
  return [
    defineRpc({
      name: 'effort.list',
      summary: 'Efforts, newest first; with a session, those it worked on',
      args: z.strictObject({ all: z.boolean().default(false), session: z.string().optional() }),
      example: { all: true },
      handle: ({ all, session }) => {
        const found =
          session === undefined ? rows().efforts(all ? {} : { active: true }) : rows().effortsOf(session)
        return found.map(({ id }) => shown(work, id))
      },
    }),
    defineRpc({
      name: 'effort.get',
      summary: 'One effort with its windows, phases, files, numbers in force and newest messages',
      args: z.strictObject({ ...which, messages: z.int().min(0).max(MAX_MESSAGES).default(200) }),
      example: { effort: 1 },
      handle: ({ effort, cwd, messages }, { env }) => {
        const context = work.context(env)
        const found = effortFor(context, effort, cwd)
        return {
          ...shown(work, found.id),
          phases: rows().phases(found.id),
          sessions: rows().sessions(found.id),
          messages: rows().latestMessages(found.id, messages),
          artifacts: artifactsOf(found),
          settings: settingsOf(found, context.settings),
        }
      },
    }),
    defineRpc({
      name: 'task.list',
      summary: 'Tasks and their efforts',
      args: z.strictObject({}),
      example: {},
      handle: () =>
        rows()
          .tasks()
          .map((task) => {
            const efforts = rows().efforts({ task: task.dirPath })
            const active = efforts.some(({ lifecycle }) => lifecycle === 'active')
            return { ...task, active, efforts: efforts.map(({ id }) => shown(work, id)) }
          }),
    }),
  ]
}

/** An effort as people see it. */
export function shown(work: Work, id: number) {
  const { rows } = work.context({})
  const effort = rows.effort(id)
  if (!effort) throw new GantryError('VALIDATION_ERROR', `There is no effort ${id}.`)
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
