/** Collects what an export needs, and hands it to the browser as a file. Loaded when somebody exports. */
import type { SessionView } from '../../../client/index.ts'
import { lanesOf } from '../../../timeline/lanes.ts'
import { traceOf } from '../../../timeline/perfetto.ts'
import { call } from '../../live/call.ts'
import { live } from '../../live/store.ts'
import { htmlOf } from './html.ts'

const MAX_ENTRIES = 20_000 // the daemon's own limit
const MAX_MESSAGES = 2_000

export async function saveTrace(session: SessionView): Promise<void> {
  const { entries, cut } = await call('sessions.timeline', { session: session.key, limit: MAX_ENTRIES })
  const { id, agent, name, project, model } = session
  const about = { id, agent, name, ...(project ? { project } : {}), ...(model ? { model } : {}) }
  save(
    `${name}.trace.json`,
    'application/json',
    JSON.stringify(traceOf(about, entries, boundsOf(session, cut))),
  )
}

export interface Wanted {
  readonly changes: boolean
  readonly transcript: boolean
}

export async function saveHtml(session: SessionView, wanted: Wanted): Promise<void> {
  const { key } = session
  const [timeline, changes, transcript] = await Promise.all([
    call('sessions.timeline', { session: key, limit: MAX_ENTRIES }),
    wanted.changes ? call('sessions.changes', { session: key }) : undefined,
    // Not every agent has a transcript; the rest is worth sharing, too.
    wanted.transcript
      ? call('sessions.transcript', { session: key, limit: MAX_MESSAGES }).catch(() => undefined)
      : undefined,
  ])
  const html = htmlOf({
    session,
    lanes: lanesOf(timeline.entries, boundsOf(session, timeline.cut)),
    entries: timeline.entries,
    changes,
    messages: transcript?.messages ?? [],
    host: live.get().hello?.host,
    now: Date.now(),
  })
  save(`${session.name}.html`, 'text/html', html)
}

function boundsOf({ startedAt, endedAt }: SessionView, cut: boolean) {
  return {
    ...(cut ? {} : { from: startedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    now: Date.now(),
  }
}

function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name.replace(/[^\w.-]/g, '-')
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
