/** Guards: the mode of each, and what it found. */
import { z } from 'zod'
import { openCall } from '../definition.ts'

/** What `gantry guards --json` prints, and when each found something last. */
export interface GuardList {
  readonly preset: string
  readonly one_strike: boolean
  readonly guards: readonly {
    readonly id: string
    readonly mode: string
    /** Set by its owner, whatever the preset says. */
    readonly own: boolean
    readonly hits: number
    readonly lastAt: number | null
    readonly about: string
    readonly instead: string
  }[]
}

export const guardCalls = {
  'guards.list': openCall({
    summary: 'The guards: the mode of each, how often it found something, and what to do instead',
    result: z.custom<GuardList>(),
  }),
}
