/** Processes that the daemon and other commands start. */
import { type Command, command, define } from '../framework/define.ts'

export const search = define({ name: 'search-worker', summary: 'Keep the search index', hidden: true })
export const otlp = define({ name: 'otlp-worker', summary: 'Send sessions as traces', hidden: true })
export const schema = define({
  name: 'schema-worker',
  summary: 'Learn schemas from a part of the journal',
  hidden: true,
})
export const check = define({
  name: 'check-worker',
  summary: 'Check the journal, slowly',
  hidden: true,
  args: [{ name: 'database', kind: 'file', required: true }],
})
export const read = define({ name: 'read-worker', summary: 'Answer one query on the journal', hidden: true })
export const handler = define({
  name: 'handler-worker',
  summary: 'Answer for the handlers of one file',
  hidden: true,
  args: [{ name: 'file', kind: 'file', required: true }],
})

export const replay = define({
  name: 'replay-worker',
  summary: 'Replay rules on one half of the sessions',
  hidden: true,
})

export const demo = define({
  name: 'demo-worker',
  summary: 'Play recorded sessions into the daemon',
  hidden: true,
  args: [{ name: 'ms', kind: 'count', required: true }],
})

export const commands: readonly Command[] = [
  command(search, () => import('./search.ts')),
  command(otlp, () => import('./otlp.ts')),
  command(schema, () => import('./schema.ts')),
  command(check, () => import('./check.ts')),
  command(read, () => import('./read.ts')),
  command(handler, () => import('./handler.ts')),
  command(demo, () => import('./demo.ts')),
  command(replay, () => import('./replay.ts')),
]
