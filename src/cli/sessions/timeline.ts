/** The timeline of a session, from the journal and from its efforts. */
import { call, type SessionView } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import type { Input } from '../framework/define.ts'
import { dim, out } from '../framework/terminal.ts'
import type * as commands from './index.ts'
import { readTimeline, type Timeline } from './read-timeline.ts'
import { timelineLines } from './timeline-lines.ts'

const GLANCE_LINES = 20 // on a terminal, below the facts
const WHOLE_LINES = 200
const MAX_EFFORTS = 5
const MAX_MESSAGES = 1_000

/** Undefined if none is wanted: programs get a timeline only with --timeline. */
export function timelineLimit({
  timeline,
  json,
  limit,
}: Input<typeof commands.session>['flags']): number | undefined {
  if (!timeline && (json || process.stdout.isTTY !== true)) return undefined
  return limit ?? (timeline ? WHOLE_LINES : GLANCE_LINES)
}

export async function sessionTimeline(
  places: Places,
  session: SessionView,
  limit: number,
): Promise<Timeline> {
  const { database } = await call(places, 'status')
  const efforts = await call(places, 'effort.list', { session: session.id })
  const details = await Promise.all(
    efforts
      .slice(0, MAX_EFFORTS)
      .map(({ id }) => call(places, 'effort.get', { effort: id, messages: MAX_MESSAGES })),
  )
  return readTimeline(database, session, details, limit)
}

export function showTimeline(session: SessionView, { entries, isCut }: Timeline): void {
  if (entries.length === 0) return
  out('')
  if (isCut) out(dim(`${' '.repeat(11)}… earlier: gantry session ${session.name} --timeline --limit all`))
  for (const line of timelineLines(entries, session.startedAt, Date.now())) out(line)
}
