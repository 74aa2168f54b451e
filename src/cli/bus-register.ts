/** Commands that are run for events: registering them, and taking them out again. */
import { call } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { bold, dim, out, plain } from './terminal.ts'

export const busRegister: Command = {
  name: 'bus register',
  summary: 'Have a command asked about events',
  usage: '--id <id> --events <types> --command <command> [--priority 50]',
  options: {
    id: { type: 'string', value: 'id', help: 'Its name; one with the same name is replaced' },
    events: { type: 'string', value: 'types', help: 'Event types, parted by commas; "*" for all' },
    command: { type: 'string', value: 'command', help: 'Run by sh, with the event on stdin' },
    priority: { type: 'string', value: 'n', help: 'Lower is asked first (default 50)' },
    json: { type: 'boolean', help: 'Print the handler as JSON' },
  },
  examples: [
    {
      line: `gantry bus register --id guard --events PreToolUse --command '/home/me/guard.sh'`,
      does: 'The script reads the event and may print {"block":true,"reason":"…"}',
    },
    {
      line: `gantry bus register --id tell --events Stop,Notification --command 'curl -s --data-binary @- http://127.0.0.1:9000/'`,
      does: 'Passes on when a turn ends or somebody is needed',
    },
  ],
  async run(input) {
    const args = {
      id: needed(input, 'id'),
      events: needed(input, 'events')
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
      command: needed(input, 'command'),
      ...priority(input),
    }
    const handler = await call(input.places, 'bus.register', args)
    if (input.flags.json) out(JSON.stringify(handler, null, 2))
    else
      out(
        `${bold(handler.id)} is asked about ${handler.events.join(', ')} ${dim(`priority ${handler.priority}`)}`,
      )
    return 0
  },
}

export const busUnregister: Command = {
  name: 'bus unregister',
  summary: 'Take a handler out',
  usage: '<id>',
  takes: 1,
  options: { json: { type: 'boolean', help: 'Print its id as JSON' } },
  examples: [{ line: 'gantry bus unregister guard', does: 'It is not asked any more, also after a restart' }],
  async run(input) {
    const [id] = input.args
    if (id === undefined) throw new GantryError('USAGE', 'Which one? "gantry bus handlers" lists them.')
    await call(input.places, 'bus.unregister', { id })
    out(input.flags.json ? JSON.stringify({ id }) : `${plain(id)} is not asked any more`)
    return 0
  },
}

function needed(input: Input, name: string): string {
  const value = stringFlag(input, name)
  if (value) return value
  throw new GantryError('USAGE', `--${name} is missing. See: gantry bus register --help`)
}

function priority(input: Input): { priority?: number } {
  const text = stringFlag(input, 'priority')
  if (text === undefined) return {}
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0 && value <= 1000) return { priority: value }
  throw new GantryError('USAGE', `--priority takes a whole number from 0 to 1000, not "${text}".`)
}
