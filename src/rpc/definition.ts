/** The definition of a call without its handler: docs and client types derive from this alone. */
import { z } from 'zod'

export interface Definition<Args extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  readonly summary: string
  readonly args: Args
  /** Only its type is used: the daemon's own answers are not checked. */
  readonly result: Result
  /** Valid arguments. */
  readonly example: z.input<Args>
}

const nothing = z.strictObject({})

/** A call's name is its key in `CALLS`. Without `args` it takes none. */
export function defineRpc<Result extends z.ZodType>(
  definition: Pick<Definition<typeof nothing, Result>, 'summary' | 'result'>,
): Definition<typeof nothing, Result>
export function defineRpc<Args extends z.ZodType, Result extends z.ZodType>(
  definition: Definition<Args, Result>,
): Definition<Args, Result>
export function defineRpc(definition: Pick<Definition, 'summary' | 'result'>): Definition {
  return { args: nothing, example: {}, ...definition }
}
