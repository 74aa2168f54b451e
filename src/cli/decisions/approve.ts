/** Approves and denies permission requests. */
import { type ApprovalDecision, answerApproval, listApprovals } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import type { Input } from '../framework/define.ts'
import { bare, bold, green, out, outJson, plain, red } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { showList } from './approvals.ts'
import type * as commands from './index.ts'

export async function approve({ args, flags, places }: Input<typeof commands.approve>): Promise<number> {
  if (args.approval !== undefined) return answered(places, args.approval, 'allow', flags)
  const list = await listApprovals(places)
  return flags.json ? outJson(list) : showList(list)
}

export function deny({ args, flags, places }: Input<typeof commands.deny>): Promise<number> {
  return answered(places, args.approval, 'deny', flags)
}

/** Resolves a word to a request: its id, or its session if that has only one. The daemon refuses any other word. */
async function approvalOf(places: Places, word: string): Promise<string> {
  const { approvals, elsewhere } = await listApprovals(places)
  if (approvals.some(({ id }) => id === word)) return word
  const isMeant = ({ name, session }: { name: string; session: string }) => name === word || session === word
  const [only, ...others] = approvals.filter(isMeant)
  if (only !== undefined && others.length === 0) return only.id
  if (only !== undefined) {
    const list = [only, ...others].map(({ id, tool, line }) => `${id} (${bare(`${tool} ${line}`)})`)
    throw usageError(`${word} waits for ${list.length} answers. Say which: ${list.join(', ')}`)
  }
  const other = elsewhere.find(isMeant)
  if (other === undefined) return word
  const where = other.pane === undefined ? '' : `, pane ${other.pane}`
  throw usageError(`${word} can only be answered in its own terminal${where}: ${other.reason}`)
}

async function answered(
  places: Places,
  word: string,
  decision: ApprovalDecision,
  { message, json }: Input<typeof commands.deny>['flags'],
): Promise<number> {
  const which = await approvalOf(places, word)
  const asked = await answerApproval(places, which, decision, { message, via: 'cli' })
  if (json) {
    const { nonce: _, ...shown } = asked
    return outJson({ ...shown, decision, message })
  }
  const said = decision === 'allow' ? green('Approved') : red('Denied')
  out(`${said} ${bold(plain(asked.id))}: ${bare(`${asked.tool}  ${asked.line}`)} ${plain(`(${asked.name})`)}`)
  return 0
}
