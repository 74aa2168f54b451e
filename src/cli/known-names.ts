/** A filter that names a type or an agent which is neither known nor stored is a mistake, and no empty list. */
import { EVENT_TYPES, type EventQuery, isKnownType } from '../client/index.ts'
import { closest } from '../closest.ts'
import { GantryError } from '../errors.ts'
import { wireable } from '../install/index.ts'

/** `isStored` looks through the journal; it is asked only about names that nobody knows. */
export function refuseUnknown(
  { type, agent }: Pick<EventQuery, 'type' | 'agent'>,
  isStored: (query: EventQuery) => boolean,
): void {
  if (type !== undefined && !isKnownType(type) && !isStored({ type })) throw unknownType(type)
  const agents = [...wireable().map(({ id }) => id), 'gantry']
  if (agent !== undefined && !agents.includes(agent) && !isStored({ agent }))
    throw unknown('agent', agent, agents)
}

export function unknownType(type: string): GantryError {
  return unknown('event type', type, EVENT_TYPES)
}

function unknown(what: string, name: string, known: readonly string[]): GantryError {
  const close = closest(name, known)
  const hint = close === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${close}?`
  return new GantryError('USAGE', `No event has the ${what} "${name}". ${hint}`)
}

/** Of a filter on hooks, `Stopp` or `hooks.Stopp`: the type that was meant, where it is nearly one. */
export function misspelt(filter: string): string | undefined {
  const type = filter.split('.').at(-1) ?? ''
  if (!/^[A-Za-z]+$/.test(type) || isKnownType(type)) return undefined
  return closest(type, EVENT_TYPES) === undefined ? undefined : type
}
