/** Calls of the work engine: the hooks for clients that make them themselves, and the commands on efforts. */
import { z } from 'zod'
import { GantryError, messageOf } from '../core/errors.ts'
import { checked } from '../core/text/issue-words.ts'
import { redact } from '../redaction/index.ts'
import type { CallHandlers, RpcContext } from '../rpc/index.ts'
import type { EffortRow } from '../store/index.ts'
import { awaitCalls } from './coordination/await-rpc.ts'
import { effortView, effortViews } from './effort-rpc.ts'
import { type HookCallParts, hookHandlers } from './hook-calls.ts'
import {
  appendLog,
  checkSkill,
  dehydrate,
  effortFor,
  finishEffort,
  guardsSchema,
  logEffort,
  makeTaskDir,
  metadataSchema,
  movePhase,
  startEffort,
} from './index.ts'
import type { Work } from './service.ts'

interface WorkCallParts extends HookCallParts {
  readonly commit: <T>(work: () => T) => T
  readonly tasks: string
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

function effortCalls({ work, commit, tasks }: WorkCallParts) {
  const rows = () => work.context({}).rows
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
      const context = work.context(env)
      const agentId = args.agentId ?? env.AGENT_ID
      checkSkill(context.settings, args)
      const phase = args.phase ?? context.settings.skills?.[args.skill]?.phases[0]
      const effort = commit(() => {
        const begun = startEffort(context, { ...args, phase, ...(agentId ? { agentId } : {}) }, tasks)
        makeTaskDir(begun)
        const { id, skill: detail } = begun
        work.send({ kind: 'WORK', about: `effort ${id}`, detail, effort: id, at: context.now })
        return begun
      })
      work.engine.refresh()
      return { ...effortView(work, effort.id), ...work.reachOf(effort) }
    },
    'effort.log': ({ text, ...where }, rpc) => {
      const result = change(where, rpc, (context, effort) => logEffort(context, effort, text))
      const effort = rows().effort(result.id)
      return { ...result, ...(effort ? logFile(effort, text) : { artifact: null }) }
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
      change(where, rpc, ({ rows }, effort) => {
        const { pendingInjections: before } = effort.metadata
        const pendingInjections = [...(Array.isArray(before) ? before : []), text]
        if (pendingInjections.length > MAX_INJECTIONS)
          throw new GantryError(
            'VALIDATION_ERROR',
            `${MAX_INJECTIONS} injections are queued already. Wait until the agent works again: its next tool calls take them.`,
          )
        rows.updateEffort(effort.id, { metadata: { ...effort.metadata, pendingInjections } })
      }),
    'effort.guard': (args, rpc) => {
      const { guards } = checked(z.object({ guards: guardsSchema }), args, 'effort.guard')
      return change(args, rpc, ({ rows }, effort) =>
        rows.updateEffort(effort.id, { metadata: { ...effort.metadata, guards } }),
      )
    },
  } satisfies Partial<CallHandlers>
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
