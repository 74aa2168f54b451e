/** Calls of the work engine: the hooks for clients that make them themselves, and what people do with efforts. */
import { z } from 'zod'
import { GantryError, messageOf } from '../core/errors.ts'
import { redact } from '../redaction/index.ts'
import { defineRpc, type Rpc, type RpcContext } from '../rpc/index.ts'
import type { EffortRow } from '../store/index.ts'
import { awaitCalls } from './await-rpc.ts'
import { effortViews, shown, which } from './effort-rpc.ts'
import { type HookCallParts, hookCalls } from './hook-calls.ts'
import {
  appendLog,
  checkSkill,
  dehydrate,
  dehydrationSchema,
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

export interface WorkCallParts extends HookCallParts {
  readonly commit: <T>(work: () => T) => T
  readonly tasks: string
  /** Secrets do not reach the rows: what is said in a call is kept like what is said in an event. */
  readonly redaction: () => boolean
}

const MAX_INJECTIONS = 50

export function workCalls(parts: WorkCallParts): Rpc[] {
  return [
    ...hookCalls(parts),
    ...effortCalls(parts),
    ...effortViews(parts.work),
    ...awaitCalls(parts.work),
  ].map((rpc) => ({
    ...rpc,
    handle: async (args, context) => {
      await parts.work.see(folderIn(args))
      return rpc.handle(parts.redaction() ? withoutSecrets(args) : args, context)
    },
  }))
}

function folderIn(args: unknown): string | undefined {
  const { cwd } = (args ?? {}) as { cwd?: unknown }
  return typeof cwd === 'string' ? cwd : undefined
}

function withoutSecrets(args: unknown): unknown {
  const { text, count } = redact(JSON.stringify(args))
  return count === 0 ? args : JSON.parse(text)
}

function effortCalls({ work, commit, tasks }: WorkCallParts): Rpc[] {
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
    return shown(work, id)
  }
  return [
    defineRpc({
      name: 'effort.start',
      summary: 'Begins an effort: a piece of work that outlives context windows',
      args: z.strictObject({
        cwd: z.string().startsWith('/'),
        skill: z.string().regex(/^[A-Za-z0-9][\w-]{0,63}$/),
        mode: z.string().max(64).optional(),
        phase: z.string().max(64).optional(),
        title: z.string().max(200).optional(),
        keywords: z.array(z.string().max(64)).max(20).optional(),
        taskDir: z.string().startsWith('/').optional(),
        agentId: z.string().max(128).optional(),
        metadata: metadataSchema.optional(),
      }),
      example: { cwd: '/home/dev/app', skill: 'implement', title: 'Search', phase: 'plan' },
      handle: (args, { env }) => {
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
        return { ...shown(work, effort.id), ...work.reachOf(effort) }
      },
    }),
    defineRpc({
      name: 'effort.log',
      summary: 'Notes progress and resets the heartbeat',
      args: z.strictObject({ ...which, text: z.string().min(1).max(8_000) }),
      example: { cwd: '/home/dev/app', text: 'Index built, tests next' },
      handle: ({ text, ...where }, rpc) => {
        const result = change(where, rpc, (context, effort) => logEffort(context, effort, text))
        const effort = rows().effort(result.id)
        return { ...result, ...(effort ? logFile(effort, text) : { artifact: null }) }
      },
    }),
    defineRpc({
      name: 'effort.phase',
      summary: 'Moves an effort to a phase',
      args: z.strictObject({ ...which, phase: z.string().min(1).max(64) }),
      example: { cwd: '/home/dev/app', phase: 'test' },
      handle: ({ phase, ...where }, rpc) =>
        change(where, rpc, (context, effort) => {
          checkSkill(context.settings, { skill: effort.skill, phase })
          movePhase(context, effort, phase)
        }),
    }),
    defineRpc({
      name: 'effort.finish',
      summary: 'Ends an effort for good',
      args: z.strictObject(which),
      example: { effort: 1 },
      handle: (where, rpc) => change(where, rpc, finishEffort),
    }),
    defineRpc({
      name: 'effort.dehydrate',
      summary: 'Keeps what the next context window needs; under `gantry run` a fresh one is started',
      args: z.strictObject({ ...which, payload: dehydrationSchema }),
      example: {
        cwd: '/home/dev/app',
        payload: { task: 'Search', decisions: ['FTS5'], files: ['src/search.ts'], nextSteps: ['rank'] },
      },
      handle: ({ payload, ...where }, rpc) => {
        let kept: ReturnType<typeof dehydrate> | undefined
        const result = change(where, rpc, (context, effort) => {
          kept = dehydrate(context, effort, payload)
        })
        const supervised =
          kept !== undefined && work.engine.isSupervised(kept.agent, kept.nativeId, kept.runId)
        work.raise('EffortDehydrated', {
          session_id: kept?.nativeId,
          effort_id: result.id,
          run_id: supervised ? kept?.runId : null,
        })
        return { ...result, supervised }
      },
    }),
    defineRpc({
      name: 'effort.inject',
      summary: 'Tells the agent something once, with its next tool call',
      args: z.strictObject({ ...which, text: z.string().min(1).max(20_000) }),
      example: { effort: 1, text: 'The API changed: see docs/api.md' },
      handle: ({ text, ...where }, rpc) =>
        change(where, rpc, ({ rows }, effort) => {
          const { pendingInjections: before } = effort.metadata
          const pendingInjections = [...(Array.isArray(before) ? before : []), text]
          if (pendingInjections.length > MAX_INJECTIONS)
            throw new GantryError(
              'VALIDATION_ERROR',
              `${MAX_INJECTIONS} wait already; the agent has to work first.`,
            )
          rows.updateEffort(effort.id, { metadata: { ...effort.metadata, pendingInjections } })
        }),
    }),
    defineRpc({
      name: 'effort.guard',
      summary: 'Sets the guard rules of an effort',
      args: z.strictObject({ ...which, guards: guardsSchema }),
      example: {
        effort: 1,
        guards: [
          {
            ruleId: 'no-push',
            condition: { field: 'tool', op: '==', value: 'WebFetch' },
            payload: 'No network in this effort.',
            urgency: 'block',
          },
        ],
      },
      handle: ({ guards, ...where }, rpc) =>
        change(where, rpc, ({ rows }, effort) =>
          rows.updateEffort(effort.id, { metadata: { ...effort.metadata, guards } }),
        ),
    }),
  ]
}

/** The log counts with or without its file: a folder that cannot be written must not stop the agent. */
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
