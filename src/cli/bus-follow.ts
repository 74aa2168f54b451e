/** Reading a stream for as long as it takes: through restarts of the daemon, from where it was. */
import {
  type BusReading,
  type BusRequest,
  type BusStreamName,
  call,
  doubtsAbout,
  STREAMS,
  subscribeBus,
  typeIn,
  type WireMessage,
} from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { type Input, stringFlag } from './command.ts'
import { storedEvents } from './stored-events.ts'
import { note } from './terminal.ts'

const RECONNECT_MS = 500

/** In full, or its first word in any case: `sessions` is SESSION_EVENTS. */
export function streamFlag(input: Input): BusStreamName {
  const text = stringFlag(input, 'stream') ?? 'HOOK_EVENTS'
  const word = text.toUpperCase().replace(/S?(_EVENTS)?$/, '')
  const found = STREAMS.find((name) => name === `${word}_EVENTS`)
  if (found) return found
  throw new GantryError('USAGE', `There is no stream "${text}". There are: ${STREAMS.join(', ')}`)
}

/** A filter on hooks that nothing can pass would wait for ever. */
export async function checkFilter(places: Places, { stream, filter }: BusRequest): Promise<void> {
  if (stream !== 'HOOK_EVENTS' || filter === undefined) return
  for (const { query, error } of doubtsAbout({ types: [typeIn(filter)] }, 'awaited')) {
    const { database } = await call(places, 'status')
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
  for (;;) {
    let reading: BusReading | undefined
    try {
      reading = await subscribeBus(places, from)
      if (!isFirst) note('the daemon is back')
      from = { ...request, deliver: { seq: reading.welcome.after + 1 } }
      isFirst = false
      for await (const message of reading.messages) {
        const answer = take(message)
        if (request.durable !== undefined) reading.ack(message.seq)
        from = { ...request, deliver: { seq: message.seq + 1 } }
        if (answer === 'enough') return await reading.end()
      }
      note('the daemon went away; waiting for it')
    } catch (error) {
      const isAway = error instanceof GantryError && ['DAEMON_AWAY', 'DEADLINE'].includes(error.code)
      if (!isAway || isFirst) throw error
    }
    await Bun.sleep(RECONNECT_MS)
  }
}
