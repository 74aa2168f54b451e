/** Puts an event on the bus: a hook that is answered as on bd's bus, or one of your own. */
import { readFileSync } from 'node:fs'
import { call, DEFAULT_AGENT } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { out } from './terminal.ts'

const HOOK_NAME = /^[A-Za-z0-9_.:-]{1,64}$/

export const busEmit: Command = {
  name: 'bus emit',
  summary: 'Put a hook or an event of your own on the bus',
  usage: '--hook <name> < payload.json | --event <name> [--payload <json>]',
  options: {
    hook: {
      type: 'string',
      value: 'name',
      help: 'A hook with its JSON on stdin, answered: exit 2 when blocked',
    },
    event: { type: 'string', value: 'name', help: 'An event of your own, for whoever listens' },
    payload: { type: 'string', value: 'json', help: 'An object for --event; "-" reads it from stdin' },
    agent: {
      type: 'string',
      value: 'agent',
      help: 'Whose it is (default: claude for hooks, gantry for events)',
    },
    json: { type: 'boolean', help: 'Print id and sequence of --event as JSON' },
  },
  examples: [
    {
      line: 'gantry bus emit --hook Stop < payload.json',
      does: 'As a hook command: context on stdout, a block as JSON on stderr with exit 2',
    },
    {
      line: `gantry bus emit --event DeployDone --payload '{"ref":"v1.2"}'`,
      does: 'Subscribers and handlers of DeployDone get it; prints its id',
    },
  ],
  blocksByExit2: true,
  async run(input) {
    const [hook, event] = [stringFlag(input, 'hook'), stringFlag(input, 'event')]
    if (hook !== undefined && event === undefined) return emitHook(input, hook)
    if (event !== undefined && hook === undefined) return emitEvent(input, event)
    throw new GantryError('USAGE', 'Say one of --hook and --event. See: gantry bus emit --help')
  },
}

/** The hook client itself: what it does without a daemon, it does here, too. */
async function emitHook(input: Input, hook: string): Promise<number> {
  if (!HOOK_NAME.test(hook))
    throw new GantryError('USAGE', `"${hook}" is not the name of a hook. Try: --hook Stop`)
  if (input.flags.json || input.flags.payload !== undefined)
    throw new GantryError('USAGE', '--json and --payload go with --event; a hook has its payload on stdin.')
  const { runHook } = await import('../client/hook.ts')
  const home = stringFlag(input, 'home')
  const agent = stringFlag(input, 'agent') ?? DEFAULT_AGENT
  return runHook([...(home === undefined ? [] : ['--home', home]), agent, hook], { reply: 'bus' })
}

async function emitEvent(input: Input, event: string): Promise<number> {
  const given = stringFlag(input, 'payload') ?? '{}'
  const payload = given === '-' ? readFileSync(0, 'utf8') : given
  const agent = stringFlag(input, 'agent')
  const args = { event, payload, ...(agent === undefined ? {} : { agent }) }
  const { id, seq } = (await call(input.places, 'bus.emit', args)) as { id: string; seq: number }
  out(input.flags.json ? JSON.stringify({ id, seq }) : `${id}  #${seq}`)
  return 0
}
