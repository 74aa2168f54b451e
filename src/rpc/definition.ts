/** What a call is, apart from what answers it: documentation and the types of clients are made from this alone. */
import { z } from 'zod'

export interface Definition<Args extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  readonly summary: string
  readonly args: Args
  /** Only its type counts: an answer comes from the daemon itself, and is not checked. */
  readonly result: Result
  /** Arguments that the call takes. */
  readonly example: z.input<Args>
}

/** Checks the example against the arguments. The name of a call is its key in `CALLS`. */
export function defineRpc<Args extends z.ZodType, Result extends z.ZodType>(
  definition: Definition<Args, Result>,
): Definition<Args, Result> {
  return definition
}

export const nothing = z.strictObject({})
