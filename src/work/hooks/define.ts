/** One hook of the work engine: its name, what it takes, what it does. */
import type { z } from 'zod'
import type { WorkContext } from '../context.ts'

export interface WorkHook<Schema extends z.ZodType = z.ZodType> {
  /** After `hooks.`. */
  readonly name: string
  readonly aliases?: readonly string[]
  readonly summary: string
  /** Made when somebody calls it over the wire; the hook path builds its input itself. */
  readonly schema: () => Schema
  /** As an agent sends it. */
  readonly example: Readonly<Record<string, unknown>>
  run(context: WorkContext, input: z.infer<Schema>): Readonly<Record<string, unknown>>
}

/** Keeps the input's type between the schema and the hook. */
export function defineHook<Schema extends z.ZodType>(hook: WorkHook<Schema>): WorkHook<Schema> {
  return hook
}

/** The fields that every example has. */
export const EXAMPLE_BASE = {
  session_id: '4f1c9a52-8a5b-4c1e-9f0e-2f6f7f1f1a11',
  transcript_path: '/home/dev/.claude/projects/app/4f1c9a52.jsonl',
  cwd: '/home/dev/app',
  permission_mode: 'default',
}
