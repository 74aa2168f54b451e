/** To the pane of a session: by name, or the next one that needs you. */
import { call } from '../client/index.ts'
import { GantryError, messageOf } from '../core/errors.ts'
import { ask, isPane, jump, nextOf, type Pane, paneOf, type Server, serverOf } from '../tmux/index.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { out, plain } from './terminal.ts'

const CLIENT = {
  type: 'string',
  value: 'name',
  help: 'The tmux client to take there; messages appear in it',
} as const

export const tmuxJump: Command = {
  name: 'tmux jump',
  summary: 'Go to the pane of a session',
  usage: '<session> [--client name]',
  takes: Infinity,
  options: { client: CLIENT },
  examples: [{ line: 'gantry tmux jump brave-otter', does: 'By name, id, or the beginning of one' }],
  run: (input) => inClient(input, goTo),
}

export const tmuxNext: Command = {
  name: 'tmux next',
  summary: 'Go to the next session that needs you',
  usage: '[--client name]',
  options: { client: CLIENT },
  examples: [
    { line: 'gantry tmux next', does: 'Errors first, then whoever waits longest; again, the one after it' },
  ],
  run: (input) => inClient(input, goOn),
}

async function goTo(input: Input): Promise<void> {
  const [name] = input.args
  if (name === undefined || input.args.length > 1)
    throw new GantryError(
      'USAGE',
      'Which session? "gantry sessions" lists them. See: gantry tmux jump --help',
    )
  const session = await call(input.places, 'sessions.get', { session: name })
  const pane = paneOf(session)
  if (!pane)
    throw new GantryError(
      'VALIDATION_ERROR',
      `${session.name} is in no tmux pane. It works in ${session.cwd ?? '?'}.`,
    )
  await jump(pane, { own: ownServer(), client: stringFlag(input, 'client') })
}

async function goOn(input: Input): Promise<void> {
  const sessions = await call(input.places, 'sessions.list')
  const needy = sessions.filter(({ needsYou }) => needsYou)
  const waiting = needy.flatMap((session) => {
    const pane = paneOf(session)
    return pane ? [{ key: session.key, pane }] : []
  })
  const client = stringFlag(input, 'client')
  const next = nextOf(waiting, await herePane(client))
  if (next) return jump(next.pane, { own: ownServer(), client })
  const elsewhere = needy.map(({ name }) => name).join(', ')
  const none =
    elsewhere === '' ? 'Nobody needs you.' : `Nobody in tmux needs you; outside of it: ${elsewhere}.`
  throw new GantryError('VALIDATION_ERROR', none)
}

/** From a key there is no terminal to print to; tmux shows the message instead. */
async function inClient(input: Input, act: (input: Input) => Promise<void>): Promise<number> {
  const client = stringFlag(input, 'client')
  const own = ownServer()
  try {
    await act(input)
    return 0
  } catch (error) {
    if (client === undefined || !own) throw error
    const message = plain(`gantry: ${messageOf(error)}`).replaceAll('#', '##')
    const { ok } = await ask(own.socket, ['display-message', '-c', client, message])
    if (!ok) out(message)
    return 0
  }
}

function ownServer(): Server | undefined {
  return serverOf(process.env.TMUX)
}

/** Where the person is: the active pane of the client, or the one this runs in. */
async function herePane(client: string | undefined): Promise<Pane | undefined> {
  const own = ownServer()
  if (!own) return undefined
  const asked =
    client && (await ask(own.socket, ['display-message', '-p', '-c', client, '#{pane_id}'])).out.trim()
  const pane = asked || process.env.TMUX_PANE || ''
  return isPane(pane) ? { ...own, pane } : undefined
}
