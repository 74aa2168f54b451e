/** Hooks that set an agent's status (turns, dialogs), and prompts. */
import { z } from 'zod'
import { ofAllAgents } from '../../agents/facts.ts'
import type { EffortRow } from '../../store/index.ts'
import { settingsOf } from '../config.ts'
import { effortOf, lastWindowOf, type WorkContext, windowOf } from '../context.ts'
import type { AgentStatus } from '../coordination/agents.ts'
import { note } from '../efforts/messages.ts'
import { enterSkill } from '../efforts/skills.ts'
import { denialWords } from '../guidance/heartbeat.ts'
import { logCommand, ownCommand } from '../guidance/own-command.ts'
import { type HookBase, hookSchema } from '../hook-input.ts'
import { defineHook } from './define.ts'

export const userPrompt = defineHook({
  name: 'userPrompt',
  aliases: ['userPromptSubmit'],
  schema: () => hookSchema({ prompt: z.string().optional() }),
  run(context, input) {
    const begun = enterSkill(context, input)
    const effort = effortOf(context, input)
    if (!effort) {
      const none = { effortId: null, sessionId: null, taskDir: null, skill: null, phase: null, heartbeat: 0 }
      return { sessionContext: null, ...none }
    }
    const window = windowOf(context, effort, input)
    if (input.prompt !== undefined && input.prompt !== '') note(context, window.id, 'user', input.prompt)
    const { currentPhase: phase, skill, taskId: taskDir } = effort
    const heartbeat = window.heartbeatCounter
    const parts = [
      new Date(context.now).toISOString(),
      `effort ${effort.id} (${skill})`,
      `session ${window.id}`,
      ...(phase === null ? [] : [`phase ${phase}`]),
      `${heartbeat} tool calls since the last log`,
    ]
    return {
      sessionContext: [parts.join(' · '), ...(begun ? [beginning(context, effort)] : [])].join('\n'),
      effortId: effort.id,
      sessionId: window.id,
      taskDir,
      skill,
      phase,
      heartbeat,
      ...(begun ? { begun } : {}),
    }
  },
})

/** What an agent must know about an effort that a prompt started. */
function beginning({ settings, home }: WorkContext, effort: EffortRow): string {
  const denies = denialWords(settingsOf(effort, settings))
  const finish = ownCommand('effort finish', home)
  return `This prompt began effort ${effort.id}; its files are in ${effort.taskId}. Log progress with: ${logCommand(home)}${denies}. When all is done: ${finish}`
}

const LIMIT_WORDS = /rate.?limit|too many requests|\b429\b|usage limit/i
const FULL_WORDS = /prompt is too long|context (?:window|length|limit)|maximum context/i

export const stop = defineHook({
  name: 'stop',
  schema: () =>
    hookSchema({
      stopHookActive: z.boolean().optional(),
      lastAssistantMessage: z.string().nullish(),
      /** The kind of API error that ended the turn, if the agent reports it. */
      error: z.string().optional(),
    }),
  run(context, input) {
    const effort = effortOf(context, input)
    if (!effort) return { status: null, rateLimited: false, contextExhausted: false }
    const window = lastWindowOf(context, effort, input)
    const said = input.lastAssistantMessage ?? ''
    if (said !== '') note(context, window.id, 'assistant', said)
    const ending = input.error === undefined ? context.ending : { error: input.error, message: said }
    if (!ending) return { status: 'done', rateLimited: false, contextExhausted: false }
    const words = `${ending.error} ${ending.message ?? ''}`
    const rateLimited = LIMIT_WORDS.test(words)
    const contextExhausted = FULL_WORDS.test(words)
    return { status: 'error', rateLimited, contextExhausted }
  },
})

export const notification = defineHook({
  name: 'notification',
  schema: () =>
    hookSchema({
      message: z.string().optional(),
      notificationType: z.string().optional(),
      title: z.string().optional(),
    }),
  run: (context, input) => {
    const asks = ASKING.has(input.notificationType ?? '')
    return { status: asks ? statusOf(context, input, 'attention') : null }
  },
})

const ASKING: ReadonlySet<string> = new Set(
  ofAllAgents(({ asksBy = [] }) => asksBy, 'permission_prompt', 'idle_prompt', 'elicitation_dialog'),
)

export const permissionRequest = defineHook({
  name: 'permissionRequest',
  schema: () =>
    hookSchema({
      toolName: z.string(),
      toolInput: z.unknown(),
      permissionSuggestions: z.unknown().optional(),
    }),
  run: (context, input) => ({ status: statusOf(context, input, 'attention') }),
})

/** The status according to this hook alone; callers get the session's status. */
function statusOf(context: WorkContext, input: HookBase, status: AgentStatus): AgentStatus | null {
  const effort = effortOf(context, input)
  if (effort) lastWindowOf(context, effort, input) // links a session to the effort even if no start was seen
  return effort && status
}
