/** Collects what an export needs, and hands it to the browser as a file. Loaded when somebody exports. */
import type { SessionView } from '../../../client/index.ts'
import { boundsOf } from '../../../timeline/lanes.ts'
import { traceOf } from '../../../timeline/perfetto.ts'
import { call } from '../../live/call.ts'
import { live } from '../../live/store.ts'
import { save } from '../../parts/save.ts'
import { timelineArgs } from '../ahead.ts'
import { htmlOf, MAX_MESSAGES } from './html.ts'

export async function saveTrace(session: SessionView): Promise<void> {
  const { entries, cut } = await call('sessions.timeline', timelineArgs(session.key))
  const trace = traceOf(session, entries, boundsOf(session, cut, Date.now()))
  save(`${session.name}.trace.json`, 'application/json', [JSON.stringify(trace)])
}

interface Wanted {
  readonly changes: boolean
  readonly transcript: boolean
}

export async function saveHtml(session: SessionView, wanted: Wanted): Promise<void> {
  const { key } = session
  const [timeline, changes, transcript] = await Promise.all([
    call('sessions.timeline', timelineArgs(key)),
    wanted.changes ? call('sessions.changes', { session: key }) : undefined,
    // Not every agent has a transcript; the rest is worth sharing, too.
    wanted.transcript
      ? call('sessions.transcript', { session: key, limit: MAX_MESSAGES }).catch(() => undefined)
      : undefined,
  ])
  const html = htmlOf({
    session,
    timeline,
    changes,
    messages: transcript?.messages ?? [],
    host: live.get().hello?.host,
    now: Date.now(),
  })
  save(`${session.name}.html`, 'text/html', [html])
}
