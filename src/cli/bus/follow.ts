/** Reads a stream, and resumes after a restart of the daemon. */

import {
  type BusRequest,
  call,
  doubtsAbout,
  subscribeBus,
  typeIn,
  type WireMessage,
} from '../../client/index.ts'
import { GantryError } from '../../core/errors.ts'
import type { Places } from '../../core/files/paths.ts'
import { storedEvents } from '../events/stored.ts'
import { throughRestarts } from '../framework/daemon.ts'
import { note } from '../framework/terminal.ts'

/** Refuses a misspelt hook type: it would wait for ever. */
export async function checkFilter(places: Places, { stream, filter }: BusRequest): Promise<void> {
  if (stream !== 'HOOK_EVENTS' || filter === undefined) return
  for (const { query, error } of doubtsAbout({ types: [typeIn(filter)] }, 'awaited')) {
    const { database } = await call(places, 'status')
    if (storedEvents(database, query, 1).next().done) throw error
  }
}

/** Passes each message to `take` until that returns 'enough'. A durable consumer acknowledges each. */
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
