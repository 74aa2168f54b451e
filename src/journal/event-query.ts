/** Parses the query of a subscription. */
import { checked } from '../core/text/issue-words.ts'
import { querySchema } from '../rpc/calls/index.ts'
import type { EventQuery } from '../rpc/index.ts'

export function parseQuery(value: unknown): EventQuery {
  return checked(querySchema, value)
}
