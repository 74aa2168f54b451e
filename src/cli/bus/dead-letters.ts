/** Lists, requeues and drops messages that NATS or a webhook rejected. */
import { call, type DeadLetter } from '../../client/index.ts'
import { utcTime } from '../../core/time/days.ts'
import type { Input } from '../framework/define.ts'
import { bold, dim, out, outList, plain } from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function run({ flags, places }: Input<typeof commands.deadLetters>): Promise<number> {
  const { requeue, drop, json } = flags
  const id = requeue ?? drop
  if (id !== undefined) {
    const name = requeue === undefined ? 'bus.deadLetters.drop' : 'bus.deadLetters.requeue'
    const done = await call(places, name, { id })
    const [[word, count] = ['', 0]] = Object.entries(done)
    out(json ? JSON.stringify(done) : `${count} ${word}`)
    return 0
  }
  const letters = await call(places, 'bus.deadLetters', { limit: 1000 })
  return outList(json, letters, lineOf, 'No dead letters.')
}

function lineOf({ id, target, stream, seq, session, error, deadAt }: DeadLetter): string {
  return `${bold(plain(id))}  ${dim(`${utcTime(deadAt)}  ${stream} ${seq}  ${plain(session)}`)}\n    ${plain(target)}: ${plain(error)}`
}
