/** The definition of one hook: name, input, behaviour. */
import type { z } from 'zod'
import type { WorkContext } from '../context.ts'

export interface WorkHook<Schema extends z.ZodType = z.ZodType> {
  /** The part after `hooks.`. */
  readonly name: string
  readonly aliases?: readonly string[]
  /** Built only for calls over the wire; the hook path builds its input itself. */
  readonly schema: () => Schema
  run(context: WorkContext, input: z.infer<Schema>): Readonly<Record<string, unknown>>
}

/** Keeps the input type of schema and hook in step. */
export function defineHook<Schema extends z.ZodType>(hook: WorkHook<Schema>): WorkHook<Schema> {
  return hook
}
