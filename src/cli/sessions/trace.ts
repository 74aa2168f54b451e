/** Writes the timeline of a session as a trace for ui.perfetto.dev. */
import { call } from '../../client/index.ts'
import { counted } from '../../core/text/text.ts'
import { boundsOf, traceOf } from '../../timeline/index.ts'
import type { Input } from '../framework/define.ts'
import { writeNew } from '../framework/new-file.ts'
import { note, out } from '../framework/terminal.ts'
import type * as commands from './index.ts'
import { sessionTimeline } from './timeline.ts'

export async function run({ args, flags, places }: Input<typeof commands.trace>): Promise<number> {
  const session = await call(places, 'sessions.get', { session: args.session })
  const { entries } = await sessionTimeline(places, session, flags.limit ?? Number.POSITIVE_INFINITY)
  const trace = traceOf(session, entries, boundsOf(session, flags.limit !== undefined, Date.now()))
  const text = JSON.stringify(trace)
  if (flags.out === undefined) out(text)
  else {
    writeNew(flags.out, `${text}\n`)
    note(
      `${counted(entries.length, 'entry', 'entries')} written to ${flags.out}; open it at https://ui.perfetto.dev`,
    )
  }
  return 0
}
