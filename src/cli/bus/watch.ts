/** Watches a stream: in the TUI on a terminal, else one line per message. */
import type { BusRequest } from '../../client/index.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import type { Input } from '../framework/define.ts'
import { checkFilter, follow } from '../framework/follow.ts'
import { isTerminal, out } from '../framework/terminal.ts'
import type * as commands from './index.ts'
import { lineOf } from './lines.ts'

export async function run({ flags, places }: Input<typeof commands.watch>): Promise<number> {
  const { stream, filter } = flags
  // Coalesced: nobody reads a thousand measurements a second.
  const request: BusRequest = { stream, ...withoutUndefined({ filter }), coalesce: true }
  await checkFilter(places, request)
  if (isTerminal() && !flags.plain) {
    const { showBus } = await import('../../tui/index.ts')
    await showBus(places, request)
    return 0
  }
  await follow(places, request, (message) => {
    out(lineOf(message))
    return 'more'
  })
  return 0
}
