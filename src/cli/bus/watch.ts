/** Watches a stream: in the TUI on a terminal, else one line per message. */
import type { BusRequest } from '../../client/index.ts'
import type { Input } from '../framework/define.ts'
import { given } from '../framework/given.ts'
import { out } from '../framework/terminal.ts'
import { checkFilter, follow } from './follow.ts'
import type * as commands from './index.ts'
import { lineOf } from './lines.ts'

export async function run({ flags, places }: Input<typeof commands.watch>): Promise<number> {
  const { stream, filter } = flags
  // Coalesced: nobody reads a thousand measurements a second.
  const request: BusRequest = { stream, ...given({ filter }), coalesce: true }
  await checkFilter(places, request)
  if (process.stdin.isTTY && process.stdout.isTTY && !flags.plain) {
    const { openBus } = await import('../../tui/index.ts')
    await openBus(places, request)
    return 0
  }
  await follow(places, request, (message) => {
    out(lineOf(message))
    return 'more'
  })
  return 0
}
