/** Calls of the work engine: the hooks for clients that make them themselves, and the commands on efforts. */
import { z } from 'zod'
import { GantryError, messageOf } from '../core/errors.ts'
import { checked, issueWords } from '../core/text/issue-words.ts'
import { redact } from '../redaction/index.ts'
import type { CallArgs, CallHandlers, RpcContext } from '../rpc/index.ts'
import type { EffortRow } from '../store/index.ts'
import { settingsProblem } from './config.ts'
import { type HookCallParts, hookHandlers } from './hook-calls.ts'
import {
  type AgentStatus,
  appendLog,
  artifactsOf,
  byUrgency,
  checkSkill,
  dehydrate,
  effortFor,
  effortWith,
  finishEffort,
  guardsSchema,
  logEffort,
  makeTaskDir,
  mostUrgent,
  movePhase,
  settingsOf,
  startEffort,
  taskTitle,
} from './index.ts'
import type { Work } from './service.ts'

interface WorkCallParts extends HookCallParts {
  readonly commit: <T>(work: () => T) => T
  /** Whether to redact: text from calls is stored like text from events. */
  readonly redaction: () => boolean
}

const MAX_INJECTIONS = 50

export function workCalls(parts: WorkCallParts) {
  return prepared(
    {
      ...hookHandlers(parts),
      ...effortCalls(parts),
      ...effortViews(parts.work),
      ...awaitCalls(parts.work),
    },
    parts,
  )
}

/** Wraps handlers: resolves the folder of the call first, and redacts its arguments. */
function prepared<Handlers extends Partial<CallHandlers>>(
  handlers: Handlers,
  { work, redaction }: WorkCallParts,
): Handlers {
  const all = Object.entries(handlers as Record<string, (args: unknown, context: RpcContext) => unknown>)
  const first = all.map(([name, handle]) => [
    name,
    async (args: unknown, context: RpcContext) => {
      await work.see(folderIn(args))
      return handle(redaction() ? withoutSecrets(args) : args, context)
    },
  ])
  return Object.fromEntries(first)
}

function folderIn(args: unknown): string | undefined {
  const { cwd } = (args ?? {}) as { cwd?: unknown }
  return typeof cwd === 'string' ? cwd : undefined
}

function withoutSecrets(args: unknown): unknown {
  const { text, count } = redact(JSON.stringify(args))
  return count === 0 ? args : JSON.parse(text)
}

function effortCalls(parts: WorkCallParts) {
  const { work, commit } = parts
  const change = (
    { effort, cwd }: { effort?: number | undefined; cwd?: string | undefined },
    { env }: RpcContext,
    act: (context: ReturnType<Work['context']>, effort: EffortRow) => void,
  ) => {
    const context = work.context(env)
    const id = commit(() => {
      const found = effortFor(context, effort, cwd)
      refuseFinished(found)
      act(context, found)
      return found.id
    })
    work.engine.refresh()
    return effortView(work, id)
  }
  return {
    'effort.start': (args, { env }) => {
      checked(z.object({ metadata: metadataSchema.optional() }), args, 'effort.start')
      return begin(parts, args, env)
    },
    'effort.log': ({ text, ...where }, rpc) => {
      const result = change(where, rpc, (context, effort) => logEffort(context, effort, text))
      return { ...result, ...logFile(result, text) }
    },
    'effort.phase': ({ phase, ...where }, rpc) =>
      change(where, rpc, (context, effort) => {
        checkSkill(context.settings, { skill: effort.skill, phase })
        movePhase(context, effort, phase)
      }),
    'effort.finish': (where, rpc) => change(where, rpc, finishEffort),
    'effort.dehydrate': ({ payload, ...where }, rpc) => {
      let kept: ReturnType<typeof dehydrate> | undefined
      const result = change(where, rpc, (context, effort) => {
        kept = dehydrate(context, effort, payload)
      })
      const supervised = kept !== undefined && work.engine.isSupervised(kept.agent, kept.nativeId, kept.runId)
      work.raise('EffortDehydrated', {
        session_id: kept?.nativeId,
        effort_id: result.id,
        run_id: supervised ? kept?.runId : null,
      })
      return { ...result, supervised }
    },
    'effort.inject': ({ text, ...where }, rpc) =>
      change(where, rpc, ({ rows }, { id, metadata }) => {
        const pendingInjections = withInjection(metadata.pendingInjections, text)
        rows.updateEffort(id, { metadata: { ...metadata, pendingInjections } })
      }),
    'effort.guard': (args, rpc) => {
      const { guards } = checked(z.object({ guards: guardsSchema }), args, 'effort.guard')
      return change(args, rpc, ({ rows }, effort) =>
        rows.updateEffort(effort.id, { metadata: { ...effort.metadata, guards } }),
      )
    },
  } satisfies Partial<CallHandlers>
}

function begin({ work, commit }: WorkCallParts, args: CallArgs<'effort.start'>, env: RpcContext['env']) {
  const context = work.context(env)
  const agentId = args.agentId ?? env.AGENT_ID
  checkSkill(context.settings, args)
  makeTaskDir(args.taskDir ?? context.tasks)
  const phase = args.phase ?? context.settings.skills?.[args.skill]?.phases[0]
  const effort = commit(() => {
    const begun = startEffort(context, { ...args, phase, ...(agentId ? { agentId } : {}) })
    const { id, skill: detail } = begun
    work.send({ kind: 'WORK', about: `effort ${id}`, detail, effort: id, at: context.now })
    return begun
  })
  work.engine.refresh()
  return { ...effortView(work, effort.id), ...work.reachOf(effort) }
}

function withInjection(queued: unknown, text: string): readonly unknown[] {
  const all = [...(Array.isArray(queued) ? queued : []), text]
  if (all.length <= MAX_INJECTIONS) return all
  throw new GantryError(
    'VALIDATION_ERROR',
    `${MAX_INJECTIONS} injections are queued already. Wait until the agent works again: its next tool calls take them.`,
  )
}

/** A log counts even if its file cannot be written: that must not stop the agent. */
function logFile(effort: EffortRow, text: string): { artifact: string | null; problem?: string } {
  try {
    return { artifact: appendLog(effort, text, Date.now()) }
  } catch (error) {
    return { artifact: null, problem: `The log file of the effort cannot be written: ${messageOf(error)}` }
  }
}

function refuseFinished({ id, lifecycle }: EffortRow): void {
  if (lifecycle === 'active') return
  throw new GantryError(
    'VALIDATION_ERROR',
    `Effort ${id} is finished. Begin another with: gantry effort start <skill>`,
  )
}

const MAX_METADATA_CHARS = 64 * 1024 // it is parsed again after every change of the effort

/** Its own settings and guards, and free-form facts that gantry only stores. Stored metadata is read leniently. */
const metadataSchema = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= MAX_METADATA_CHARS, 'larger than 64 KB')
  .superRefine(({ settings, guards }, check) => {
    const problem = settings === undefined ? undefined : settingsProblem(settings)
    if (problem !== undefined) check.addIssue({ code: 'custom', path: ['settings'], message: problem })
    const parsed = guards === undefined ? undefined : guardsSchema.safeParse(guards, { error: issueWords })
    for (const { path, message } of parsed?.error?.issues ?? [])
      check.addIssue({ code: 'custom', path: ['guards', ...path], message })
  })

function awaitCalls(work: Work) {
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

type Where = Omit<CallArgs<'fleet.heard'>, 'upTo'>

function scopeOf(work: Work, { effort, project, cwd }: Where): { effort?: number; project?: number } {
  const { rows, projectOf } = work.context({})
  if (effort !== undefined) return { effort: effortWith(effort, rows).id }
  const folder = project ?? cwd
  const found = folder === undefined ? undefined : projectOf(folder)
  if (found) return { project: found.id }
  if (project === undefined) return {}
  throw new GantryError(
    'VALIDATION_ERROR',
    `There is no project around ${project}: no effort was ever started there. Use --all for all projects.`,
  )
}

function effortViews(work: Work) {
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

/** An effort as people see it. */
function effortView(work: Work, id: number) {
  const { rows } = work.context({})
  const effort = effortWith(id, rows)
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
