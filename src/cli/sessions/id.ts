/** Resolves what the user calls a session to its id. */
import { call } from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'

/** By id, prefix or name; a session of which only events are left, by its whole id. */
export async function sessionIdOf(places: Places, named: string): Promise<string> {
  try {
    return (await call(places, 'sessions.get', { session: named })).id
  } catch (error) {
    if (!(error instanceof GantryError) || error.code !== 'VALIDATION_ERROR') throw error
    const events = await call(places, 'events.list', { session: named, limit: 1 })
    if (events.length === 0) throw error
    return named
  }
}
