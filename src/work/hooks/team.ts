/** Sub-agents, teammates, tasks, and events that are only recorded. */
import { z } from 'zod'
import { effortOf, knownWindow, newWindow } from '../context.ts'
import { directivesFor, withDirectives } from '../directives/preloads.ts'
import { note } from '../efforts/messages.ts'
import { logCommand } from '../guidance/own-command.ts'
import { hookSchema } from '../hook-input.ts'
import { defineHook } from './define.ts'

export const subagentStart = defineHook({
  name: 'subagentStart',
  schema: () => hookSchema({ agentId: z.string().min(1), agentType: z.string().optional() }),
  run(context, input) {
    const effort = effortOf(context, input)
    if (!effort) return { sessionId: null, effortId: null, context: null }
    const window = newWindow(context, effort, input)
    const directives = directivesFor(effort, window.agent)
    if (context.caller === 'client') context.rows.updateSession(window.id, { loadedFiles: directives })
    return {
      sessionId: window.id,
      effortId: effort.id,
      context: {
        logTemplate: logCommand(context.home),
        directives,
        skill: effort.skill,
        phase: effort.currentPhase,
        metadata: effort.metadata,
      },
    }
  },
})

export const subagentStop = defineHook({
  name: 'subagentStop',
  schema: () =>
    hookSchema({
      agentId: z.string(),
      agentType: z.string().optional(),
      stopHookActive: z.boolean().optional(),
      agentTranscriptPath: z.string().optional(),
      lastAssistantMessage: z.string().nullish(),
    }),
  run(context, input) {
    const known = input.agentId === '' ? undefined : knownWindow(context, input)
    if (!known || known.endedAt !== null) return { ended: false, sessionId: null, loadedFiles: [] }
    context.rows.updateSession(known.id, { endedAt: context.now, endReason: 'subagent stop' })
    const effort = context.rows.effort(known.effortId)
    const discoveredDirectives = effort && withDirectives(effort, known.loadedFiles)
    if (discoveredDirectives) context.rows.updateEffort(effort.id, { discoveredDirectives })
    return { ended: true, sessionId: known.id, loadedFiles: known.loadedFiles }
  },
})

export const teammateIdle = defineHook({
  name: 'teammateIdle',
  schema: () => hookSchema({ teammateName: z.string(), teamName: z.string().optional() }),
  run(context, input) {
    const effort = effortOf(context, input)
    if (!effort) return { status: null, signalled: false }
    const { rows, now } = context
    const { teammateName: id } = input
    rows.putAgent({ id, label: id, effortId: effort.id, status: 'done', detail: 'idle', updatedAt: now })
    context.signal({ kind: 'CHILD', about: id, detail: 'TeammateIdle', effort: effort.id, at: now })
    return { status: 'done', signalled: true }
  },
})

export const taskCompleted = defineHook({
  name: 'taskCompleted',
  schema: () =>
    hookSchema({
      taskId: z.string(),
      taskSubject: z.string().optional(),
      taskDescription: z.string().nullish(),
      teammateName: z.string().optional(),
      teamName: z.string().optional(),
    }),
  run(context, input) {
    const effort = effortOf(context, input)
    if (!effort) return { effortId: null, signalled: false }
    const about = input.taskSubject ?? input.taskId
    const last = context.rows.sessionOf(context.agent, input.sessionId, '')
    if (last) note(context, last.id, 'task', `completed: ${about}`)
    context.signal({
      kind: 'CHILD',
      about: input.teammateName || about,
      detail: 'TaskCompleted',
      effort: effort.id,
      at: context.now,
    })
    return { effortId: effort.id, signalled: true }
  },
})

export const configChange = defineHook({
  name: 'configChange',
  schema: () => hookSchema({ source: z.string().optional(), filePath: z.string().optional() }),
  run: () => ({ invalidated: false }),
})
