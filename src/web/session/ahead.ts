/**
 * What the view of a session asks first, asked as soon as the page has a script: beside the loading of the view and of the
 * sessions, not after them. The timeline is read by a process of its own, which takes a while to start.
 */
import type { CallArgs } from '../../client/index.ts'
import { callAhead } from '../live/call.ts'
import { partsOf } from '../router.ts'

const MAX_ENTRIES = 20_000 // the daemon's own limit

export function timelineArgs(key: string): CallArgs<'sessions.timeline'> {
  return { session: key, limit: MAX_ENTRIES }
}

export function askAhead(path: string): void {
  const [key = ''] = path.startsWith('/session/') ? partsOf(path) : []
  if (key === '') return
  callAhead('sessions.get', { session: key })
  if (key.includes(':')) callAhead('sessions.timeline', timelineArgs(key)) // a name is asked for by its key
}
