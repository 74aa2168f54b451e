/** The bus, live: on a terminal a view with rates, filters and payloads, elsewhere a line a message. */
import type { BusRequest } from '../client/index.ts'
import { checkFilter, follow, streamFlag } from './bus-follow.ts'
import { lineOf } from './bus-lines.ts'
import { type Command, stringFlag } from './command.ts'
import { isAtTerminal, out } from './terminal.ts'

export const busWatch: Command = {
  name: 'bus watch',
  summary: 'Watch a stream live, with rates',
  usage: '[--stream name] [--filter subject] [--plain]',
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
    plain: { type: 'boolean', help: 'A line a message, also on a terminal' },
  },
  examples: [
    { line: 'gantry bus watch', does: 'Every event, and how many come in a second' },
    { line: 'gantry bus watch --stream decisions', does: 'What was allowed, asked and denied' },
  ],
  async run(input) {
    const filter = stringFlag(input, 'filter')
    const request: BusRequest = {
      stream: streamFlag(input),
      ...(filter === undefined ? {} : { filter }),
      coalesce: true, // nobody reads a thousand measurements a second
    }
    await checkFilter(input.places, request)
    if (isAtTerminal() && !input.flags.plain) {
      const { openBus } = await import('../tui/index.ts')
      await openBus(input.places, request)
      return 0
    }
    await follow(input.places, request, (message) => {
      out(lineOf(message))
      return 'more'
    })
    return 0
  },
}
