/** One hook of the work engine: its name, what it takes, what it does. */
import type { z } from 'zod'
import type { WorkContext } from '../context.ts'

export interface WorkHook<Schema extends z.ZodType = z.ZodType> {
  /** After `hooks.`. */
  readonly name: string
  readonly aliases?: readonly string[]
  /** Made when somebody calls it over the wire; the hook path builds its input itself. */
  readonly schema: () => Schema
  run(context: WorkContext, input: z.infer<Schema>): Readonly<Record<string, unknown>>
}

/** Keeps the input's type between the schema and the hook. */
export function defineHook<Schema extends z.ZodType>(hook: WorkHook<Schema>): WorkHook<Schema> {
  return hook
}
