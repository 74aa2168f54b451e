/** Messages that NATS or a webhook would not take. */
import { call, type DeadLetter } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { type Command, stringFlag } from './command.ts'
import { bold, dim, out, plain } from './terminal.ts'

export const busDeadLetters: Command = {
  name: 'bus dead-letters',
  summary: 'Show messages that were not taken, send them again, or drop them',
  usage: '[--json] [--requeue <id>|all] [--drop <id>|all]',
  options: {
    json: { type: 'boolean', help: 'Print them as an array' },
    requeue: { type: 'string', value: 'id', help: 'Send this one again; "all" sends all of them' },
    drop: { type: 'string', value: 'id', help: 'Give this one up; "all" gives all of them up' },
  },
  examples: [
    { line: 'gantry bus dead-letters', does: 'What was not taken, by whom, and why' },
    { line: 'gantry bus dead-letters --requeue all', does: 'Tries them again, once the reason is gone' },
  ],
  async run(input) {
    const { flags, places } = input
    const [requeue, drop] = [stringFlag(input, 'requeue'), stringFlag(input, 'drop')]
    if (requeue !== undefined && drop !== undefined) {
      throw new GantryError('USAGE', 'Either --requeue or --drop. See: gantry bus dead-letters --help')
    }
    const id = requeue ?? drop
    if (id !== undefined) {
      const name = requeue === undefined ? 'bus.deadLetters.drop' : 'bus.deadLetters.requeue'
      const done = await call(places, name, { id })
      const [[word, count] = ['', 0]] = Object.entries(done)
      out(flags.json ? JSON.stringify(done) : `${count} ${word}`)
      return 0
    }
    const letters = await call(places, 'bus.deadLetters', { limit: 1000 })
    if (flags.json) out(JSON.stringify(letters, null, 2))
    else if (letters.length === 0) out('No dead letters.')
    else for (const letter of letters) out(lineOf(letter))
    return 0
  },
}

function lineOf({ id, target, stream, seq, session, error, deadAt }: DeadLetter): string {
  const when = new Date(deadAt).toISOString().slice(0, 19).replace('T', ' ')
  return `${bold(plain(id))}  ${dim(`${when}  ${stream} ${seq}  ${plain(session)}`)}\n    ${plain(target)}: ${plain(error)}`
}
