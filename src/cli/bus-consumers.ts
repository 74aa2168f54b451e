/** Durable consumers: where each is, how far behind, and the way to be rid of one. */
import { type BusConsumer, call } from '../client/index.ts'
import { streamFlag } from './bus-follow.ts'
import { type Command, stringFlag } from './command.ts'
import { age, bold, dim, green, out, plain, yellow } from './terminal.ts'

export const busConsumers: Command = {
  name: 'bus consumers',
  summary: 'List durable consumers and how far behind they are',
  usage: '[--json] [--delete name [--stream name]]',
  options: {
    delete: { type: 'string', value: 'name', help: 'Forget this consumer and its place' },
    stream: { type: 'string', value: 'name', help: 'The stream of the one to delete (default HOOK_EVENTS)' },
    json: { type: 'boolean', help: 'Print an array of records' },
  },
  examples: [
    { line: 'gantry bus consumers', does: 'Who reads what, and what each has before it' },
    { line: 'gantry bus consumers --json | jq ".[] | select(.lag > 100) | .name"', does: 'Who is behind' },
    { line: 'gantry bus consumers --delete reports', does: 'Forgets the consumer "reports"' },
  ],
  async run(input) {
    const name = stringFlag(input, 'delete')
    if (name !== undefined) {
      await call(input.places, 'bus.consumers.delete', { name, stream: streamFlag(input) })
      out(input.flags.json ? JSON.stringify({ deleted: name }) : `${green('✓')} ${plain(name)} is forgotten`)
      return 0
    }
    const found = await call(input.places, 'bus.consumers')
    if (input.flags.json) {
      out(JSON.stringify(found, null, 2))
      return 0
    }
    if (found.length === 0) out('No durable consumers. Make one with: gantry bus subscribe --durable <name>')
    const width = Math.max(...found.map(({ name }) => name.length), 4)
    for (const consumer of found) out(lineOf(consumer, width))
    return 0
  },
}

function lineOf(consumer: BusConsumer, width: number): string {
  const { connections, lag, inFlight, missed } = consumer
  const idle = age(Date.now() - consumer.activeAt)
  const state = connections > 0 ? green('connected') : dim(`away for ${idle}`)
  const parts = [
    `${bold(consumer.name.padEnd(width))}  ${consumer.stream}  ${plain(consumer.filter)}`,
    state,
    (lag > 0 ? yellow : dim)(`lag ${lag}`),
    inFlight > 0 ? `${inFlight} not acknowledged` : '',
    consumer.redelivered > 0 ? yellow(`${consumer.redelivered} given again`) : '',
    missed > 0 ? yellow(`${missed} had left the stream`) : '',
  ]
  return parts.filter(Boolean).join(dim(' · '))
}
