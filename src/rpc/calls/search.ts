/** Searching what was said and done. */
import { z } from 'zod'
import { defineRpc } from '../definition.ts'

const MAX_HITS = 200
const MAX_CHARS = 1_000

/** What is looked for in prompts, answers, commands, paths, tools and titles. */
export const searchSchema = z.strictObject({
  /** Words that must all be there, `"words next to each other"`, and `begin*`. */
  text: z.string().min(1).max(MAX_CHARS),
  session: z.string().min(1).optional().describe('id, the beginning of one, or name'),
  agent: z.string().min(1).optional(),
  type: z.string().min(1).optional(),
  /** UTC milliseconds. */
  since: z.number().optional(),
  order: z.enum(['newest', 'best']).default('newest'),
  limit: z.int().min(1).max(MAX_HITS).default(20),
})

export type SearchQuery = Readonly<z.infer<typeof searchSchema>>

export interface SearchHit {
  readonly seq: number
  readonly id: string
  readonly at: number
  readonly agent: string
  readonly session: string
  /** What the session is called, where that is known. */
  readonly name?: string
  readonly type: string
  readonly tool?: string
  /** What it was found in. */
  readonly kind: 'prompt' | 'answer' | 'command' | 'path' | 'tool' | 'error' | 'title'
  /** One line of it. */
  readonly snippet: string
  /** Where in the snippet the words are: beginnings and ends. */
  readonly matches: readonly (readonly [number, number])[]
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  /** There are more than were asked for. */
  readonly more: boolean
  /** Events that are not in the index yet. */
  readonly behind: number
}

export const searchCalls = {
  search: defineRpc({
    summary: 'Finds prompts, answers, commands, paths, tools and titles by their words',
    args: searchSchema,
    result: z.custom<SearchAnswer>(),
    example: { text: 'exit code', limit: 5 },
  }),
}
