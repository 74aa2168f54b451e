/** The bus, live: a line an event, and on a terminal a last line with how much is going on. */
import type { BusRequest, WireMessage } from '../client/index.ts'
import { follow, streamFlag } from './bus-follow.ts'
import { lineOf } from './bus-lines.ts'
import { type Command, stringFlag } from './command.ts'
import { columns, cut, dim, out } from './terminal.ts'

const RATE_SPAN_MS = 10_000
const REDRAW_MS = 500
const CLEAR_LINE = '\r\u001b[2K'

export const busWatch: Command = {
  name: 'bus watch',
  summary: 'Watch a stream live, with rates',
  usage: '[--stream name] [--filter subject]',
  options: {
    stream: {
      type: 'string',
      value: 'name',
      help: 'HOOK_EVENTS (default), SESSION_EVENTS or DECISION_EVENTS',
    },
    filter: {
      type: 'string',
      short: 'f',
      value: 'subject',
      help: 'A type (Stop), or a subject with * and >',
    },
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
    const hasTerminal = process.stdout.isTTY === true
    const pulse = new Pulse()
    const draw = () => process.stdout.write(CLEAR_LINE + dim(cut(pulse.line(Date.now()), columns() - 1)))
    if (hasTerminal) {
      setInterval(draw, REDRAW_MS)
      process.once('SIGINT', () => {
        process.stdout.write(CLEAR_LINE)
        process.exit(130)
      })
    }
    await follow(input.places, request, (message) => {
      if (hasTerminal) pulse.add(message, Date.now())
      out(`${hasTerminal ? CLEAR_LINE : ''}${lineOf(message)}`)
      return 'more'
    })
    return 0
  },
}

/** Counts of the last ten seconds. */
export class Pulse {
  #times: number[] = []
  readonly #sessions = new Map<string, number>()
  #total = 0

  add(message: WireMessage, now: number): void {
    this.#total += 1
    this.#times.push(now)
    if (message.session !== '') this.#sessions.set(`${message.agent} ${message.session}`, now)
  }

  line(now: number): string {
    this.#times = this.#times.filter((time) => now - time < RATE_SPAN_MS)
    for (const [session, time] of this.#sessions)
      if (now - time >= RATE_SPAN_MS) this.#sessions.delete(session)
    const rate = (this.#times.length / (RATE_SPAN_MS / 1000)).toFixed(1)
    return `${rate} messages/s · ${this.#sessions.size} sessions · ${this.#total} so far · Ctrl-C leaves`
  }
}
