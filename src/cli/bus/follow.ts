/** Reading a stream for as long as it takes: through restarts of the daemon, from where it was. */

import {
  type BusRequest,
  call,
  doubtsAbout,
  type Status,
  subscribeBus,
  typeIn,
  type WireMessage,
} from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/paths.ts'
import { storedEvents } from '../events/stored.ts'
import { throughRestarts } from '../framework/daemon.ts'
import { note } from '../framework/terminal.ts'

/** A filter on hooks that nothing can pass would wait for ever. */
export async function checkFilter(places: Places, { stream, filter }: BusRequest): Promise<void> {
  if (stream !== 'HOOK_EVENTS' || filter === undefined) return
  for (const { query, error } of doubtsAbout({ types: [typeIn(filter)] }, 'awaited')) {
    const { database } = (await call(places, 'status')) as Status
    if (storedEvents(database, query, 1).next().done) throw error
  }
}

/** Every message in turn, until `take` says that it has enough. A durable consumer acknowledges what was taken. */
export async function follow(
  places: Places,
  request: BusRequest,
  take: (message: WireMessage) => 'more' | 'enough',
): Promise<void> {
  let from = request
  let isFirst = true
  await throughRestarts(
    async () => {
      const reading = await subscribeBus(places, from)
      if (!isFirst) note('the daemon is back')
      from = { ...request, deliver: { seq: reading.welcome.after + 1 } }
      isFirst = false
      for await (const message of reading.messages) {
        const answer = take(message)
        if (request.durable !== undefined) reading.ack(message.seq)
        from = { ...request, deliver: { seq: message.seq + 1 } }
        if (answer === 'more') continue
        await reading.end()
        return 'done'
      }
      return 'ended'
    },
    (error) => !isFirst && error instanceof GantryError && ['DAEMON_AWAY', 'DEADLINE'].includes(error.code),
  )
}
