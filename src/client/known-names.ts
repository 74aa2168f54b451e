/**
 * A filter with a type or agent that is neither known nor stored is a mistake, not an empty list. But a reader of future
 * events may wait for the first of its own type: there only a name one letter away from a known one is a mistake.
 *
 *   for (const { query, error } of doubtsAbout({ types: ['Stopp'] }, 'awaited')) if (!isStored(query)) throw error
 */
import { AGENT_NAMES } from '../agents/facts.ts'
import { GantryError } from '../core/errors.ts'
import { closest, whichOf } from '../core/text/closest.ts'
import { OWN_AGENT, STORED_TYPES } from '../events/names.ts'
import type { EventQuery } from '../rpc/index.ts'

interface Doubt {
  /** What to look for in the journal. */
  readonly query: EventQuery
  /** The error if nothing of it is stored. */
  readonly error: GantryError
}

interface Names {
  readonly types?: readonly string[] | undefined
  readonly agent?: string | undefined
}

const WORD = /^[A-Za-z]+$/
const LONG = 5 // letters; one letter turns a shorter name into another word: `Step` may be a custom type, `Stopp` is a typo

const AGENTS = [...AGENT_NAMES, OWN_AGENT]

export function doubtsAbout({ types = [], agent }: Names, wanted: 'stored' | 'awaited'): Doubt[] {
  const isDoubtful = (name: string, known: readonly string[]) => wanted === 'stored' || isSlip(name, known)
  const agents = agent === undefined || AGENTS.includes(agent) ? [] : [agent]
  return [
    ...types
      .filter((type) => !STORED_TYPES.includes(type) && isDoubtful(type, STORED_TYPES))
      .map((type) => ({ query: { type }, error: unknown('event type', type, STORED_TYPES) })),
    ...agents
      .filter((name) => isDoubtful(name, AGENTS))
      .map((name) => ({ query: { agent: name }, error: unknown('agent', name, AGENTS) })),
  ]
}

/** The type in a hooks filter: `Stop` and `hooks.claude.Stop`. */
export function typeIn(filter: string): string {
  return filter.split('.').at(-1) ?? ''
}

function unknown(what: string, name: string, known: readonly string[]): GantryError {
  return new GantryError('USAGE', `No event has the ${what} "${name}". ${whichOf(name, known)}`)
}

/** One letter added, missing or replaced, or two swapped. */
function isSlip(name: string, known: readonly string[]): boolean {
  const close = WORD.test(name) ? closest(name, known, 1) : undefined
  return close !== undefined && (name.length >= LONG || sorted(name) === sorted(close))
}

const sorted = (word: string) => [...word.toLowerCase()].sort().join('')
