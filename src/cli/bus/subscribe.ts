/** Prints a stream, one line or one JSON object per message. */
import type { BusRequest } from '../../client/index.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import type { Input } from '../framework/define.ts'
import { checkFilter, follow } from '../framework/follow.ts'
import { out } from '../framework/terminal.ts'
import type * as commands from './index.ts'
import { lineOf } from './lines.ts'

export async function run({ flags, places }: Input<typeof commands.subscribe>): Promise<number> {
  const { stream, filter, since: deliver, durable, fleet, count: left = Infinity, json } = flags
  const request: BusRequest = {
    stream,
    ...withoutUndefined({ filter, deliver, durable, fleet: fleet || undefined }),
  }
  await checkFilter(places, request)
  let shown = 0
  await follow(places, request, (message) => {
    out(json ? JSON.stringify(message) : lineOf(message))
    shown += 1
    return shown < left ? 'more' : 'enough'
  })
  return 0
}
