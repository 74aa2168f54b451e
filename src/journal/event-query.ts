/** What may be asked of the events: by calls and by subscriptions. */
import { z } from 'zod'
import type { EventQuery } from '../client/protocol.ts'
import { GantryError } from '../core/errors.ts'
import { issueWords, problemsOf } from '../core/issue-words.ts'

export const querySchema = z.strictObject({
  session: z.string().optional(),
  type: z.string().optional(),
  agent: z.string().optional(),
  subagent: z.string().optional(),
  except: z.string().optional(),
  since: z.number().optional(),
  after: z.int().nonnegative().optional(),
  before: z.int().nonnegative().optional(),
  grep: z.string().min(1).optional(),
  run: z.string().min(1).optional(),
})

export function parseQuery(value: unknown): EventQuery {
  const result = querySchema.safeParse(value, { error: issueWords })
  if (!result.success) throw new GantryError('VALIDATION_ERROR', problemsOf(result.error))
  return result.data as EventQuery
}
