/** Full-text search. */
import { z } from 'zod'
import { openCall } from '../definition.ts'

const MAX_HITS = 200
const MAX_CHARS = 1_000
const MAX_SESSIONS = 200

/** Searches prompts, answers, commands, paths, tools and titles. */
export const searchSchema = z.strictObject({
  /** Words that must all occur, `"a phrase"`, and `prefix*`. */
  text: z.string().min(1).max(MAX_CHARS),
  session: z.string().min(1).optional().describe('id, the beginning of one, or name'),
  sessions: z
    .array(z.string().min(1).max(MAX_CHARS))
    .min(1)
    .max(MAX_SESSIONS)
    .optional()
    .describe('full ids'),
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
  /** The session's name, if known. */
  readonly name?: string
  readonly type: string
  readonly tool?: string
  /** Where it was found. */
  readonly kind: 'prompt' | 'answer' | 'command' | 'path' | 'tool' | 'error' | 'title'
  /** One line of the text. */
  readonly snippet: string
  /** Start and end of the matches in the snippet. */
  readonly matches: readonly (readonly [number, number])[]
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  /** There are more than were requested. */
  readonly more: boolean
  /** Events that are not indexed yet. */
  readonly behind: number
}

export const searchCalls = {
  search: openCall({
    summary: 'Searches prompts, answers, commands, paths, tools and titles',
    args: searchSchema,
    result: z.custom<SearchAnswer>(),
    example: { text: 'exit code', limit: 5 },
  }),
}
