/** A person's answer to a permission: yes or no, from wherever they are. */
import { type ApprovalDecision, answerApproval, listApprovals } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { showList } from './approvals.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { bare, bold, green, out, plain, red } from './terminal.ts'

export const approve: Command = {
  name: 'approve',
  summary: 'Say yes to a permission that waits; without an id, show them',
  usage: '[approval|session] [--message <text>]',
  takes: 1,
  options: {
    message: {
      type: 'string',
      short: 'm',
      value: 'text',
      help: 'Kept with the answer; the agent does not get it',
    },
    json: { type: 'boolean', help: 'Print what was answered as JSON' },
  },
  examples: [
    { line: 'gantry approve riko7', does: 'The tool runs, and the dialog in its terminal closes' },
    { line: 'gantry approve brave-otter', does: 'By the name of the session, where one of it waits' },
    { line: 'gantry approve', does: 'What waits, and the id of each' },
  ],
  run: (input) => (input.args.length === 0 ? listed(input) : answered(input, 'allow')),
}

export const deny: Command = {
  name: 'deny',
  summary: 'Say no to a permission that waits, and why',
  usage: '<approval|session> [--message <text>]',
  takes: 1,
  options: {
    message: { type: 'string', short: 'm', value: 'text', help: 'What the model is told' },
    json: { type: 'boolean', help: 'Print what was answered as JSON' },
  },
  examples: [
    { line: 'gantry deny riko7', does: 'The tool does not run, and the model is told that a person said no' },
    {
      line: 'gantry deny riko7 --message "Use the staging database."',
      does: 'And is told what to do instead',
    },
  ],
  run: (input) => answered(input, 'deny'),
}

async function listed({ places, flags }: Input): Promise<number> {
  const list = await listApprovals(places)
  if (flags.json) out(JSON.stringify(list, null, 2))
  else showList(list)
  return 0
}

/** By its id, or by the session, by name or id, where just one of it waits. Any other word is the daemon's to refuse. */
async function approvalOf(places: Places, word: string): Promise<string> {
  const { approvals, elsewhere } = await listApprovals(places)
  if (approvals.some(({ id }) => id === word)) return word
  const isMeant = ({ name, session }: { name: string; session: string }) => name === word || session === word
  const [only, ...others] = approvals.filter(isMeant)
  if (only !== undefined && others.length === 0) return only.id
  if (only !== undefined) {
    const list = [only, ...others].map(({ id, tool, line }) => `${id} (${bare(`${tool} ${line}`)})`)
    throw new GantryError('USAGE', `${word} waits for ${list.length} answers. Say which: ${list.join(', ')}`)
  }
  const other = elsewhere.find(isMeant)
  if (other === undefined) return word
  const where = other.pane === undefined ? '' : `, pane ${other.pane}`
  throw new GantryError('USAGE', `${word} can only be answered in its own terminal${where}: ${other.reason}`)
}

async function answered(input: Input, decision: ApprovalDecision): Promise<number> {
  const [id, ...more] = input.args
  if (id === undefined || more.length > 0)
    throw new GantryError(
      'USAGE',
      'Say which one, by its id or by its session: "gantry approvals" lists them.',
    )
  const message = stringFlag(input, 'message')
  const which = await approvalOf(input.places, id)
  const asked = await answerApproval(input.places, which, decision, { message, via: 'cli' })
  if (input.flags.json) {
    const { nonce: _, ...shown } = asked
    out(JSON.stringify({ ...shown, decision, ...(message === undefined ? {} : { message }) }, null, 2))
    return 0
  }
  const said = decision === 'allow' ? green('Approved') : red('Denied')
  out(`${said} ${bold(plain(asked.id))}: ${bare(`${asked.tool}  ${asked.line}`)} ${plain(`(${asked.name})`)}`)
  return 0
}
