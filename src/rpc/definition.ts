/**
 * The definition of a call without its handler: docs and client types derive from this alone. The function that makes it
 * says who may make the call.
 */
import { z } from 'zod'

export interface Definition<Args extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  readonly summary: string
  readonly args: Args
  /** Only its type is used: the daemon's own answers are not checked. */
  readonly result: Result
  /** Valid arguments. */
  readonly example: z.input<Args>
  /** An agent and its descendants may not make it. */
  readonly guarded: boolean
}

type Said<Args extends z.ZodType, Result extends z.ZodType> = Omit<Definition<Args, Result>, 'guarded'>
type WithoutArgs<Result extends z.ZodType> = Pick<Definition<typeof nothing, Result>, 'summary' | 'result'>

const nothing = z.strictObject({})

interface Define {
  <Result extends z.ZodType>(said: WithoutArgs<Result>): Definition<typeof nothing, Result>
  <Args extends z.ZodType, Result extends z.ZodType>(said: Said<Args, Result>): Definition<Args, Result>
}

/** A call that agents may make, too. Its name is its key in `CALLS`. Without `args` it takes none. */
export const openCall = ((said: WithoutArgs<z.ZodType>) => ({
  args: nothing,
  example: {},
  ...said,
  guarded: false,
})) as Define

/** A call that changes who answers hooks, and how, or lets a browser in: refused inside an agent. */
export const guardedCall = ((said: WithoutArgs<z.ZodType>) => ({
  ...openCall(said),
  summary: `${said.summary}; refused inside an agent`,
  guarded: true,
})) as Define
