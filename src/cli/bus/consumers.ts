/** Lists durable consumers and their lag, and deletes one. */
import { type BusConsumer, call } from '../../client/index.ts'
import type { Input } from '../framework/define.ts'
import { age, bold, dim, green, out, outList, plain, yellow } from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function run({ flags, places }: Input<typeof commands.consumers>): Promise<number> {
  const { delete: name, stream, json } = flags
  if (name !== undefined) {
    await call(places, 'bus.consumers.delete', { name, stream })
    out(json ? JSON.stringify({ deleted: name }) : `${green('✓')} ${plain(name)} is forgotten`)
    return 0
  }
  const found = await call(places, 'bus.consumers')
  const width = Math.max(...found.map(({ name }) => name.length), 4)
  const none = 'No durable consumers. Make one with: gantry bus subscribe --durable <name>'
  return outList(json, found, (one) => lineOf(one, width), none)
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
