/** Hooks before, after and on failure of a tool call. */
import { z } from 'zod'
import type { EffortRow, WorkSessionRow } from '../../store/index.ts'
import { settingsOf, type WorkSettings } from '../config.ts'
import { effortOf, lastWindowOf, type WorkContext, windowOf } from '../context.ts'
import { pendingPreloads } from '../directives/preloads.ts'
import { note } from '../efforts/messages.ts'
import { dialogueEntry } from '../guidance/dialogue.ts'
import { firedRules, guardsOf, wordsOf } from '../guidance/guards.ts'
import {
  blockReason,
  failedAttempt,
  isAtLimit,
  isBlocked,
  isEngineCommand,
  isLogAttempt,
} from '../guidance/heartbeat.ts'
import { fillOf } from '../guidance/overflow.ts'
import { hookSchema } from '../hook-input.ts'
import { defineHook } from './define.ts'

const call = {
  toolName: z.string(),
  toolInput: z.record(z.string(), z.unknown()),
  toolUseId: z.string().optional(), // Gemini sends none
}

const ALLOWED = {
  allow: true,
  heartbeatCount: 0,
  contextUsage: 0,
  overflowWarning: false,
  pendingPreloads: [],
  firedRules: [],
}

export const preToolUse = defineHook({
  name: 'preToolUse',
  schema: () => hookSchema(call),
  run(context, input) {
    const effort = effortOf(context, input)
    if (!effort) return ALLOWED
    const settings = settingsOf(effort, context.settings)
    const window = windowOf(context, effort, input)
    const bypass = isEngineCommand(input.toolName, input.toolInput)
    const heartbeatCount = bypass
      ? window.heartbeatCounter
      : counted(window.heartbeatCounter, context, settings)
    // The known usage is the session's; a sub-agent has its own context.
    const usage = window.agentId === '' ? context.usageOf(context.agent, input.sessionId) : undefined
    const contextUsage = usage ?? window.contextUsage
    const pending = pendingPreloads(effort, window)
    if (heartbeatCount !== window.heartbeatCounter || contextUsage !== window.contextUsage)
      context.rows.countCall(window.id, heartbeatCount, contextUsage)
    if (context.caller === 'client' && pending.length > 0)
      context.rows.updateSession(window.id, { loadedFiles: [...window.loadedFiles, ...pending] })
    const fired = bypass
      ? []
      : firedRules(guardsOf(effort), {
          heartbeat_counter: heartbeatCount,
          context_usage: contextUsage,
          tool: input.toolName,
          phase: effort.currentPhase ?? '',
        })
    const forbidden = fired.find(({ urgency }) => urgency === 'block')
    // A sub-agent may have no shell to log with, so its parent logs for it.
    const isChild = input.agentId !== undefined && input.agentId !== ''
    const mayDeny = !bypass && !isChild && !isLogAttempt(input.toolInput)
    const silent = mayDeny && isBlocked(heartbeatCount, settings)
    const reason = silent ? blockReason(heartbeatCount, context.home) : forbidden && wordsOf(forbidden)
    return {
      allow: reason === undefined,
      heartbeatCount,
      contextUsage,
      overflowWarning: fillOf(contextUsage, settings) !== 'none',
      pendingPreloads: pending,
      firedRules: fired,
      ...(reason === undefined ? {} : { reason }),
    }
  },
})

export const postToolUse = defineHook({
  name: 'postToolUse',
  schema: () => hookSchema({ ...call, toolResponse: z.unknown() }),
  run(context, input) {
    const effort = effortOf(context, input)
    if (!effort) return { heartbeatCount: 0, pendingInjections: [], dialogueEntry: null }
    const window = lastWindowOf(context, effort, input)
    const { pendingInjections, ...metadata } = effort.metadata
    // Injections are for the agent that works on the effort, and are removed only when it receives them.
    const isHeard = context.caller !== 'nobody' && window.agentId === ''
    const waiting = isHeard && Array.isArray(pendingInjections) ? pendingInjections : []
    if (waiting.length > 0) context.rows.updateEffort(effort.id, { metadata })
    const failed = released(context, effort, window, input.toolInput)
    const dialogue = dialogueEntry(input.toolName, input.toolInput, input.toolResponse)
    if (dialogue !== null) note(context, window.id, 'dialogue', dialogue, input.toolName)
    return {
      heartbeatCount: failed === undefined ? window.heartbeatCounter : 0,
      pendingInjections: failed === undefined ? waiting : [failed, ...waiting],
      dialogueEntry: dialogue,
    }
  },
})

export const postToolUseFailure = defineHook({
  name: 'postToolUseFailure',
  schema: () => hookSchema({ ...call, error: z.string().optional(), isInterrupt: z.boolean().optional() }),
  run(context, input) {
    const effort = effortOf(context, input)
    if (!effort) return { logged: false, status: null }
    const window = lastWindowOf(context, effort, input)
    const content = input.error ?? (input.isInterrupt ? 'interrupted' : 'failed')
    note(context, window.id, 'failure', content, input.toolName)
    const failed = released(context, effort, window, input.toolInput)
    return {
      logged: true,
      status: 'error',
      ...(failed === undefined ? {} : { pendingInjections: [failed] }),
    }
  },
})

/** A call that could not be denied does not use up a denial: the next call with a waiting agent is the first. */
function counted(before: number, { caller }: WorkContext, { heartbeat_block: limit }: WorkSettings): number {
  const isUsedUp = caller === 'nobody' && limit > 1 && before === limit - 1
  return isUsedUp ? before : before + 1
}

/** An agent that was denied, tried to log and could not reach gantry is released: its count restarts. */
function released(
  context: WorkContext,
  effort: EffortRow,
  window: WorkSessionRow,
  toolInput: unknown,
): string | undefined {
  const { heartbeatCounter: count } = window
  if (window.agentId !== '' || !isAtLimit(count, settingsOf(effort, context.settings))) return undefined
  if (!isLogAttempt(toolInput)) return undefined
  const words = failedAttempt(count)
  context.rows.updateSession(window.id, { heartbeatCounter: 0 })
  note(context, window.id, 'failure', words)
  return words
}
