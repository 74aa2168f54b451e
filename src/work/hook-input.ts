/**
 * Input of the work engine's hooks: snake_case from the agent, camelCase inside. Only the payload's own keys are
 * renamed; tool inputs stay as they are.
 */
import { z } from 'zod'

const base = {
  sessionId: z.string().min(1),
  transcriptPath: z.string().optional(),
  cwd: z.string().optional(),
  permissionMode: z.string().optional(),
  hookEventName: z.string().optional(),
  /** Set if a sub-agent makes the call. */
  agentId: z.string().optional(),
}

export interface HookBase {
  readonly sessionId: string
  readonly transcriptPath?: string | undefined
  readonly cwd?: string | undefined
  readonly permissionMode?: string | undefined
  readonly hookEventName?: string | undefined
  readonly agentId?: string | undefined
}

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
