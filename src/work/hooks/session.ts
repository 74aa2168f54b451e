/** Context windows: how a window starts and ends, and why a full one is closed rather than compacted. */
import { z } from 'zod'
import { settingsOf } from '../config.ts'
import { effortOf, knownWindow, newWindow, type WorkContext, windowOf } from '../context.ts'
import { directivesFor } from '../directives/preloads.ts'
import { recover } from '../efforts/recovery.ts'
import { type HookBase, hookSchema } from '../hook-input.ts'
import { defineHook } from './define.ts'

const NOT_FOUND = {
  found: false,
  effortId: null,
  sessionId: null,
  skill: null,
  phase: null,
  filesToPreload: [],
  dehydratedContext: null,
  skillConfig: null,
}

export const sessionStart = defineHook({
  name: 'sessionStart',
  schema: () =>
    hookSchema({
      source: z.string().optional(),
      model: z.string().optional(),
      agentType: z.string().optional(),
    }),
  run(context, input) {
    const effort = effortOf(context, input)
    if (!effort) return NOT_FOUND
    const { rows, caller } = context
    // After an allowed compaction the same window continues.
    const begin = input.source === 'compact' ? windowOf : newWindow
    const window = begin(context, effort, input)
    // Other agents get the rest with the answers to their hooks.
    if (caller !== 'client') return { found: true, effortId: effort.id, sessionId: window.id }
    const artifacts = context.files?.effortId === effort.id ? context.files.paths : []
    const filesToPreload = [...directivesFor(effort, window.agent), ...artifacts]
    rows.updateSession(window.id, { loadedFiles: filesToPreload })
    return {
      found: true,
      effortId: effort.id,
      sessionId: window.id,
      skill: effort.skill,
      phase: effort.currentPhase,
      filesToPreload,
      dehydratedContext: recover(context, effort, window),
      skillConfig: effort.metadata.skillConfig ?? context.settings.skills?.[effort.skill] ?? null,
    }
  },
})

export const sessionEnd = defineHook({
  name: 'sessionEnd',
  schema: () => hookSchema({ reason: z.string().optional() }),
  run(context, input) {
    const sessionId = endWindow(context, input, input.reason ?? 'ended')
    if (sessionId === null) return { ended: false, sessionId, status: null }
    return { ended: true, sessionId, status: 'done' }
  },
})

/**
 * It is too late to dehydrate: the window is closed, and the next one reads what exists. If the effort says otherwise,
 * or nobody would restart the agent, it compacts.
 */
export const preCompact = defineHook({
  name: 'preCompact',
  schema: () => hookSchema({ trigger: z.string().optional(), customInstructions: z.string().nullish() }),
  run(context, input) {
    const effort = input.trigger === 'auto' ? effortOf(context, input) : null
    const restarts = effort !== null && settingsOf(effort, context.settings).on_compaction === 'restart'
    if (!restarts || !context.startsAgain(input.sessionId))
      return { kill: false, sessionId: null, restartPrompt: null }
    const sessionId = endWindow(context, input, 'compaction')
    return { kill: true, sessionId, restartPrompt: RESTART_PROMPT }
  },
})

const MAX_REASON_CHARS = 200

export const RESTART_PROMPT = 'Go on with the effort where the last window stopped.'

function endWindow(context: WorkContext, input: HookBase, reason: string): number | null {
  const known = knownWindow(context, input)
  if (!known || known.endedAt !== null) return null
  const { agent, nativeId } = known
  // Its sub-agents end with it.
  context.rows.endSessions({ agent, nativeId }, context.now, reason.slice(0, MAX_REASON_CHARS))
  return known.id
}
