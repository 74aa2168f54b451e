/** A stream of the bus as lines, for people and for programs. */
import { type BusRequest, sinceOf } from '../client/index.ts'
import { checkFilter, follow, streamFlag } from './bus-follow.ts'
import { lineOf } from './bus-lines.ts'
import { type Command, countFlag, type Input, stringFlag } from './command.ts'
import { out } from './terminal.ts'

export const busSubscribe: Command = {
  name: 'bus subscribe',
  summary: 'Print the messages of a stream as they come',
  usage: '[--stream name] [--filter subject] [--since when] [--durable name] [--fleet] [--count n] [--json]',
  options: {
    stream: {
      type: 'string',
      value: 'name',
      help: 'HOOK_EVENTS (default), SESSION_EVENTS, DECISION_EVENTS or GANTRY_EVENTS',
    },
    filter: {
      type: 'string',
      short: 'f',
      value: 'subject',
      help: 'A type (Stop), or a subject with * and >',
    },
    since: {
      type: 'string',
      value: 'when',
      help: 'Begin at a sequence (1700), a time span ago (10m), an ISO time, or with all',
    },
    durable: {
      type: 'string',
      short: 'd',
      value: 'name',
      help: 'Keep a place under this name: each message is acknowledged once it was printed',
    },
    fleet: { type: 'boolean', help: 'The stream on NATS, with the messages of all hosts' },
    count: { type: 'string', short: 'n', value: 'n', help: 'Leave after so many messages' },
    json: { type: 'boolean', help: 'One JSON object a line; "data" is the payload as the agent sent it' },
  },
  examples: [
    { line: 'gantry bus subscribe', does: 'Every event of every agent, live' },
    { line: 'gantry bus subscribe --filter=Stop --json', does: 'Each end of a turn, for a program' },
    {
      line: 'gantry bus subscribe --durable reports --since all --json',
      does: 'Goes on where it was, also after a restart of either side; a new one begins with all there is',
    },
    {
      line: 'gantry bus subscribe --stream sessions --filter blocked',
      does: 'Each session that begins to wait for you',
    },
    { line: 'gantry bus subscribe --fleet --filter Stop', does: 'Each end of a turn on any host' },
  ],
  async run(input) {
    let left =
      stringFlag(input, 'count') === undefined ? Number.POSITIVE_INFINITY : countFlag(input, 'count', 1)
    const request = requestOf(input)
    await checkFilter(input.places, request)
    await follow(input.places, request, (message) => {
      out(input.flags.json ? JSON.stringify(message) : lineOf(message))
      left -= 1
      return left > 0 ? 'more' : 'enough'
    })
    return 0
  },
}

function requestOf(input: Input): BusRequest {
  const filter = stringFlag(input, 'filter')
  const since = stringFlag(input, 'since')
  const durable = stringFlag(input, 'durable')
  return {
    stream: streamFlag(input),
    ...(filter === undefined ? {} : { filter }),
    ...(since === undefined ? {} : { deliver: sinceOf(since, Date.now()) }),
    ...(durable === undefined ? {} : { durable }),
    ...(input.flags.fleet ? { fleet: true } : {}),
  }
}
