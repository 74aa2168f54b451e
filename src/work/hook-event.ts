/** Converts a canonical event to the input of the engine's hooks, the same for every agent. */
import type { HookEvent } from '../events/index.ts'
import type { HookBase } from './hook-input.ts'

/** The hook that handles an event. A turn that ended in an error is a stop, too. */
export function hookNameOf(event: HookEvent): string {
  return event.type === 'StopFailure' ? 'Stop' : event.type
}

export function inputOf(event: HookEvent): HookBase & Readonly<Record<string, unknown>> {
  return {
    sessionId: event.sessionId,
    transcriptPath: event.transcriptPath,
    cwd: event.cwd,
    permissionMode: event.permissionMode,
    hookEventName: event.type,
    agentId: event.agentId,
    agentType: event.agentType,
    source: event.source,
    reason: event.reason,
    trigger: event.trigger,
    toolName: event.tool?.name ?? '',
    toolInput: event.tool?.input,
    toolUseId: event.tool?.useId,
    toolResponse: event.tool?.response,
    error: event.error?.kind ?? event.tool?.error,
    isInterrupt: event.tool?.interrupted,
    // Prompts injected by the agent itself are not a person's words.
    prompt: event.promptInjected ? '' : event.prompt,
    lastAssistantMessage: event.message ?? event.error?.message,
    message: event.notification?.message,
    notificationType: event.notification?.type,
    teammateName: event.teammate?.name ?? '',
    teamName: event.teammate?.team,
    taskId: event.task?.id ?? '',
    taskSubject: event.task?.subject,
    taskDescription: event.task?.description,
  }
}
