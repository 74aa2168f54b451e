/**
 * Which messages of a stream a reader gets.
 *
 *   const filter = filterOn('HOOK_EVENTS', 'Stop')   // also hooks.Stop, hooks.*, hooks.>
 *   filter.matches('Stop')                           // true
 */
import { GantryError } from '../../core/errors.ts'
import type { BusMessage } from './message.ts'
import { filterFor, matchesSubject, PREFIX, type StreamName, subjectOf } from './names.ts'

const MAX_REMEMBERED = 1_000 // types; agents may choose any names
const EXACT = /^[A-Za-z0-9-]{1,99}$/

export interface Filter {
  readonly pattern: string
  readonly matchesAll: boolean
  /** The only type that passes, if certain: the journal can then select by it. */
  readonly type: string | undefined
  matches(type: string): boolean
  passes(message: BusMessage): boolean
}

export function filterOn(stream: StreamName, text?: string): Filter {
  const pattern = text === undefined || text === '' ? `${PREFIX[stream]}.>` : filterFor(stream, text)
  // This host's streams have no host part: `hooks.*.Stop`, a filter for a fleet, means the same as `hooks.Stop`.
  const patterns = [pattern, pattern.replace(/^([^.]+)\.\*\.(.+)$/, '$1.$2')]
  const seen = new Map<string, boolean>()
  const matches = (type: string): boolean => {
    const known = seen.get(type)
    if (known !== undefined) return known
    const subject = subjectOf(stream, type)
    const found = patterns.some((one) => matchesSubject(one, subject))
    if (seen.size >= MAX_REMEMBERED) seen.clear()
    seen.set(type, found)
    return found
  }
  const last = pattern.slice(pattern.lastIndexOf('.') + 1)
  // A literal cannot match two different types, so what matches both matches all.
  const matchesAll = matches('a') && matches('b')
  if (!matchesAll && !matches(last)) {
    const message = `No message of ${stream} has the subject ${pattern}; they are all below ${PREFIX[stream]}.`
    throw new GantryError('VALIDATION_ERROR', message)
  }
  // Other characters of a type become "_" in its subject, so a "_" may stand for several types.
  const type = !matchesAll && EXACT.test(last) ? last : undefined
  const passes = (message: BusMessage) => !message.isAside && matches(message.type)
  return { pattern, matchesAll, type, matches, passes }
}
