/**
 * Validation messages for people, in place of the schema library's. A schema's own message wins.
 *
 *   schema.safeParse(value, { error: issueWords })
 */
import type { z } from 'zod'
import { GantryError } from '../errors.ts'

const NOUNS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'a table of keys and values',
  record: 'a table of keys and values',
  string: 'text',
}

export function issueWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is missing; it takes ${noun(issue.expected)}`
        : `takes ${noun(issue.expected)}, not ${kindOf(issue.input)}`
    case 'invalid_value':
      return issue.values.length === 1
        ? `takes only ${String(issue.values[0])}${not(issue.input)}`
        : `takes one of ${issue.values.map(String).join(', ')}${not(issue.input)}`
    case 'too_small':
      return sized(issue.origin, 'at least', Number(issue.minimum), issue.inclusive)
    case 'too_big':
      return sized(issue.origin, 'at most', Number(issue.maximum), issue.inclusive)
    case 'not_multiple_of':
      return `takes a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `no such key: ${issue.keys.join(', ')}`
    case 'invalid_format':
      return issue.format === 'regex'
        ? 'contains characters that are not allowed'
        : `is not a valid ${issue.format}`
    case 'invalid_key':
      return 'contains a key that is not allowed'
    case 'invalid_union':
      return `matches none of the allowed forms`
    default:
      return 'is not allowed here'
  }
}

/** Parses a value by its schema. Throws VALIDATION_ERROR with every problem, prefixed with `whose: ` if given. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whose = '',
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value, { error: issueWords })
  if (success) return data
  const problems = problemsOf(error)
  const message = whose === '' ? problems : `${whose}: ${problems}`
  throw new GantryError('VALIDATION_ERROR', message, { details: error.issues })
}

/** All problems on one line: `limit: takes a whole number, not "x"; no such key: lmit`. */
export function problemsOf({ issues }: z.core.$ZodError): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
}

function sized(origin: string, limit: string, size: number, isIncluded = true): string {
  const edge = isIncluded ? size : `${size} (exclusive)`
  if (origin === 'string')
    return size === 1 && limit === 'at least' ? 'must not be empty' : `takes ${limit} ${edge} characters`
  if (origin === 'array' || origin === 'set') return `takes ${limit} ${edge} values`
  return `takes a number of ${limit} ${edge}`
}

function noun(expected: string): string {
  return NOUNS[expected] ?? expected
}

/** Repeats the value only where one of a few words is expected; anywhere else it may be a secret. */
function not(input: unknown): string {
  if (input === undefined) return ''
  return typeof input === 'string' ? `, not "${input.slice(0, MAX_SHOWN)}"` : `, not ${kindOf(input)}`
}

const MAX_SHOWN = 40

function kindOf(input: unknown): string {
  if (input === null) return 'null'
  if (Number.isNaN(input)) return 'something else'
  return NOUNS[Array.isArray(input) ? 'array' : typeof input] ?? 'that'
}
