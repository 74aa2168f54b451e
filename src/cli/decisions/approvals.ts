/** Lists, shows and follows permission requests. */
import {
  type ApprovalList,
  type ApprovalView,
  type AskedElsewhere,
  call,
  LOOKS,
  listApprovals,
  type WireMessage,
} from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { jsonIn } from '../../core/json.ts'
import type { Input } from '../framework/define.ts'
import {
  age,
  bare,
  bold,
  columns,
  dim,
  green,
  out,
  outJson,
  paragraph,
  plain,
  red,
  widthOf,
  wrap,
  yellow,
} from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function run({
  args: { approval: id },
  flags,
  places,
}: Input<typeof commands.approvals>): Promise<number> {
  const { json: asJson } = flags
  if (id !== undefined) return showOne(places, id, asJson)
  const list = await listApprovals(places)
  if (flags.follow) return followAll(places, list, asJson)
  return asJson ? outJson(list) : showList(list)
}

export function showList({ approvals: held, elsewhere }: ApprovalList): 0 {
  if (held.length === 0 && elsewhere.length === 0) out('Nobody waits for an answer.')
  for (const one of held) out(lineOf(one))
  if (held.length > 0) out(dim('Answer with: gantry approve <id>, or: gantry deny <id> --message "why"'))
  for (const one of elsewhere) for (const line of elsewhereLines(one)) out(line)
  return 0
}

function elsewhereLines({
  name,
  agent,
  agentType,
  kind,
  reason,
  since,
  pane,
  line,
  questions = [],
}: AskedElsewhere): string[] {
  const where = `— answer it in its terminal${pane === undefined ? '' : `: pane ${pane}`}`
  const who = agentType === undefined ? agent : `${agent} ${agentType}`
  const what = `${who} · ${reason} (${kind}, for ${age(Date.now() - since)})`
  const head = `${yellow(LOOKS.asks.mark)} ${bold(plain(name))} ${plain(what)} ${dim(plain(where))}`
  return [head, ...(questions.length === 0 ? below(line ?? '') : questions.flatMap(questionLines))]
}

type Question = NonNullable<AskedElsewhere['questions']>[number]

function questionLines({ text, options }: Question): string[] {
  return [text, ...options.map((option, i) => `${i + 1}. ${option}`)].map((one) =>
    paragraph('       ', plain(one)),
  )
}

/** `riko7  brave-otter claude  Bash  touch made  4m left`; a command that does not fit is printed below. */
function lineOf(approval: ApprovalView): string {
  const { id, name, agent, agentType, tool, line, until, reason } = approval
  const left = `${age(Math.max(0, until - Date.now()))} left`
  const head = plain(`${[name, agent, agentType].filter(Boolean).join(' ')}  `)
  const room = columns() - id.length - head.length - tool.length - left.length - 8
  const fits = widthOf(bare(line)) <= room
  const first = `${bold(plain(id))}  ${head}${yellow(plain(tool))}  ${fits ? `${bare(line)}  ` : ''}${dim(left)}`
  const why = reason === undefined ? [] : [`       ${dim(plain(reason))}`]
  return [first, ...(fits ? [] : below(line)), ...why].join('\n')
}

const MAX_LINES = 100 // of a line that was shortened already, on the narrowest terminal

function below(line: string): string[] {
  if (line === '') return []
  return wrap(bare(line), Math.max(20, columns() - 8), MAX_LINES).map((text) => `       ${text}`)
}

async function showOne(places: Places, id: string, asJson: boolean): Promise<number> {
  const one = await call(places, 'approvals.get', { id })
  if (asJson) return outJson(one)
  out(lineOf(one))
  if (one.cwd !== undefined) out(`  ${dim('in')} ${plain(one.cwd)}`)
  for (const line of inputLines(one.input)) out(`  ${line}`)
  return 0
}

/** The whole input, without control characters. */
function inputLines(input: unknown): string[] {
  const text = typeof input === 'string' ? input : JSON.stringify(input, null, 2)
  return (text ?? '').split('\n').map(bare)
}

async function followAll(places: Places, list: ApprovalList, asJson: boolean): Promise<number> {
  if (asJson) for (const one of list.approvals) out(JSON.stringify({ type: 'ApprovalAsked', ...one }))
  else for (const one of list.approvals) out(lineOf(one))
  const known = new Set(list.approvals.map(({ id }) => id))
  const { follow } = await import('../framework/follow.ts')
  await follow(places, { stream: 'DECISION_EVENTS', deliver: 'new' }, (message) => {
    if (!message.type.startsWith('Approval')) return 'more'
    const told = toldIn(message)
    if (!told || (message.type === 'ApprovalAsked' && known.has(told.id))) return 'more'
    known.add(told.id)
    out(asJson ? JSON.stringify({ type: message.type, ...told }) : toldLine(message.type, told))
    return 'more'
  })
  return 0
}

interface Told extends ApprovalView {
  readonly session_id: string
  readonly how?: string
  readonly by?: string
  readonly message?: string
}

function toldIn({ data }: WireMessage): Told | undefined {
  return jsonIn(data) as Told | undefined
}

function toldLine(type: string, told: Told): string {
  if (type === 'ApprovalAsked') return lineOf({ ...told, name: told.session_id.slice(0, 8) })
  const { id, how = '', by, message } = told
  const colour = how === 'allowed' ? green : how === 'denied' ? red : dim
  const rest = [by, message].filter(Boolean).join(' · ')
  return `${bold(plain(id))}  ${colour(plain(how))} ${dim(plain(rest))}`.trimEnd()
}
