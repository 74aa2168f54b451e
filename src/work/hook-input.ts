/**
 * Input of the work engine's hooks: snake_case from the agent, camelCase inside. Only the payload's own keys are
 * renamed; tool inputs stay as they are.
 */
import { z } from 'zod'
import type { HookEvent } from '../events/index.ts'

const base = {
  sessionId: z.string().min(1),
  transcriptPath: z.string().optional(),
  cwd: z.string().optional(),
  permissionMode: z.string().optional(),
  hookEventName: z.string().optional(),
  /** Set if a sub-agent makes the call. */
  agentId: z.string().optional(),
}

export type HookBase = Readonly<z.infer<z.ZodObject<typeof base>>>

/** The common fields plus those of one event. */
export function hookSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(transformKeys, z.object({ ...base, ...shape }))
}

export function transformKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [camel(key), inner]))
}

function camel(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** The reverse: the keys as the agent sends them. */
export function toSnakeCase(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [snake(key), inner]))
}

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
