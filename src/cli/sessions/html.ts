/** Writes a session as one HTML file to share; the page in the browser makes the same. */
import { hostname } from 'node:os'
import { call, type SessionView } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { htmlOf, MAX_MESSAGES } from '../../web/index.ts'
import { writeNew } from '../framework/new-file.ts'
import { note } from '../framework/terminal.ts'

const MAX_ENTRIES = 20_000 // the daemon's own limit

export async function writeHtml(places: Places, session: SessionView, path: string): Promise<number> {
  const which = { session: session.key }
  const timeline = await call(places, 'sessions.timeline', { ...which, limit: MAX_ENTRIES })
  const changes = await call(places, 'sessions.changes', which)
  // Not every agent has a transcript; the rest is worth sharing, too.
  const said = await call(places, 'sessions.transcript', { ...which, limit: MAX_MESSAGES }).catch(
    () => undefined,
  )
  const html = htmlOf({
    session,
    timeline,
    changes,
    messages: said?.messages ?? [],
    host: hostname(),
    now: Date.now(),
  })
  writeNew(path, html)
  note(`Written to ${path}. Secrets that gantry knows are taken out; read it before you share it.`)
  return 0
}
