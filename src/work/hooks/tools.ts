/** Before, after and in spite of every tool call. */
import { z } from 'zod'
import { effortOf, lastWindowOf, windowOf } from '../context.ts'
import { dialogueEntry } from '../dialogue.ts'
import { firedRules, guardsOf, wordsOf } from '../guards.ts'
import { blockReason, isBlocked, isEngineCommand } from '../heartbeat.ts'
import { hookSchema } from '../hook-input.ts'
import { note } from '../messages.ts'
import { fillOf } from '../overflow.ts'
import { pendingPreloads } from '../preloads.ts'
import { settingsOf } from '../settings.ts'
import { defineHook, EXAMPLE_BASE } from './define.ts'

const EXAMPLE_TOOL = {
  ...EXAMPLE_BASE,
  tool_name: 'Bash',
  tool_input: { command: 'npm test' },
  tool_use_id: 'toolu_01',
}

const call = {
  toolName: z.string(),
  toolInput: z.record(z.string(), z.unknown()),
  toolUseId: z.string().optional(), // Gemini has none
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
  summary:
    'Counts the call, checks heartbeat, overflow and the effort’s guards; allows what it does not know',
  schema: () => hookSchema(call),
  example: { ...EXAMPLE_TOOL, hook_event_name: 'PreToolUse' },
  run(context, input) {
    const effort = effortOf(context, input)
    if (!effort) return ALLOWED
    const settings = settingsOf(effort, context.settings)
    const window = windowOf(context, effort, input)
    const bypass = isEngineCommand(input.toolName, input.toolInput)
    const heartbeatCount = window.heartbeatCounter + (bypass ? 0 : 1)
    // What is known of the context is its session's; a sub-agent has one of its own.
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
    // A sub-agent may have no shell to log with; its parent answers for it.
    const isChild = input.agentId !== undefined && input.agentId !== ''
    const silent = !bypass && !isChild && isBlocked(heartbeatCount, settings)
    const reason = silent ? blockReason(heartbeatCount) : forbidden && wordsOf(forbidden)
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
  summary: 'What waits to be told, once; a question and its answer go into the messages',
  schema: () => hookSchema({ ...call, toolResponse: z.unknown() }),
  example: { ...EXAMPLE_TOOL, hook_event_name: 'PostToolUse', tool_response: { stdout: 'ok' } },
  run(context, input) {
    const effort = effortOf(context, input)
    if (!effort) return { heartbeatCount: 0, pendingInjections: [], dialogueEntry: null }
    const window = lastWindowOf(context, effort, input)
    const { pendingInjections, ...metadata } = effort.metadata
    // They are for the agent that works on the effort, and taken only when it hears them.
    const isHeard = context.caller !== 'nobody' && window.agentId === ''
    const waiting = isHeard && Array.isArray(pendingInjections) ? pendingInjections : []
    if (waiting.length > 0) context.rows.updateEffort(effort.id, { metadata })
    const dialogue = dialogueEntry(input.toolName, input.toolInput, input.toolResponse)
    if (dialogue !== null) note(context, window.id, 'dialogue', dialogue, input.toolName)
    return {
      heartbeatCount: window.heartbeatCounter,
      pendingInjections: waiting,
      dialogueEntry: dialogue,
    }
  },
})

export const postToolUseFailure = defineHook({
  name: 'postToolUseFailure',
  summary: 'A tool failed: the agent’s status is error, the failure is in the messages',
  schema: () => hookSchema({ ...call, error: z.string().optional(), isInterrupt: z.boolean().optional() }),
  example: {
    ...EXAMPLE_TOOL,
    hook_event_name: 'PostToolUseFailure',
    error: 'exit code 1',
    is_interrupt: false,
  },
  run(context, input) {
    const effort = effortOf(context, input)
    if (!effort) return { logged: false, status: null }
    const window = lastWindowOf(context, effort, input)
    const content = input.error ?? (input.isInterrupt ? 'interrupted' : 'failed')
    note(context, window.id, 'failure', content, input.toolName)
    return { logged: true, status: 'error' }
  },
})
