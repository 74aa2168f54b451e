/** Reads a stream, and resumes after a restart of the daemon. */
import {
  type BusRequest,
  call,
  doubtsAbout,
  followBus,
  typeIn,
  type WireMessage,
} from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { sayAway } from './daemon.ts'
import { storedEvents } from './stored.ts'

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
  for await (const { message, reading } of followBus(places, request, { told: sayAway() })) {
    const answer = take(message)
    if (request.durable !== undefined) reading.ack(message.seq)
    if (answer === 'enough') return
  }
}
