/** One effort with all that is known of it: phases, windows, messages, files. */

import { call, type EffortDetail, type MessageView, type WindowView } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { counted } from '../core/text.ts'
import { type Command, countFlag } from './command.ts'
import { bar, effortId, nameOf, percent, WHICH_OPTIONS, which } from './effort.ts'
import { guardLines } from './effort-steer.ts'
import {
  age,
  bold,
  columns,
  cut,
  cyan,
  dim,
  green,
  out,
  padTo,
  plain,
  red,
  short,
  yellow,
} from './terminal.ts'

export const effortShow: Command = {
  name: 'effort show',
  summary: 'Show one effort: phases, windows, messages, files',
  usage: '[<id>] [--limit <n>] [--json]',
  takes: Infinity,
  options: {
    limit: {
      type: 'string',
      short: 'n',
      value: 'n',
      help: 'At most so many messages, newest kept (default 20)',
    },
    ...WHICH_OPTIONS,
  },
  examples: [
    { line: 'gantry effort show', does: 'The one of this folder' },
    { line: 'gantry effort show 3 --json | jq .sessions', does: 'The context windows of effort 3' },
  ],
  async run(input) {
    const [id, ...rest] = input.args
    if (rest.length > 0) throw new GantryError('USAGE', 'One effort at a time: gantry effort show 3')
    const wanted = id === undefined ? which(input) : { effort: effortId(id) }
    const messages = countFlag(input, 'limit', 20)
    if (messages > MAX_MESSAGES)
      throw new GantryError('USAGE', `At most ${MAX_MESSAGES} messages can be shown at once.`)
    const effort = (await call(input.places, 'effort.get', { ...wanted, messages })) as EffortDetail
    if (input.flags.json) out(JSON.stringify(effort, null, 2))
    else show(effort)
    return 0
  },
}

const MAX_MESSAGES = 2_000 // as many as the daemon gives

function show(effort: EffortDetail): void {
  const { settings } = effort
  const isActive = effort.lifecycle === 'active'
  const old = age((effort.finishedAt ?? Date.now()) - effort.createdAt)
  out(`${isActive ? green('●') : dim('○')} ${nameOf(effort)}  ${dim(`${effort.lifecycle}, ${old}`)}`)
  const row = (label: string, text: string) => out(`  ${dim(label.padEnd(10))} ${text}`)
  row('task', plain(short(effort.taskId)))
  if (effort.mode !== null) row('mode', plain(effort.mode))
  if (effort.phases.length > 0) row('phases', phasesOf(effort))
  if (isActive) {
    const { heartbeat_warn: warn, heartbeat_block: block, heartbeat_denials: denials } = settings
    const limit = block > 0 ? block : warn
    const said = `${effort.heartbeat} tool call${effort.heartbeat === 1 ? '' : 's'} since the last log`
    const isLetGo = effort.heartbeat >= block + denials
    const end = block === 0 ? '' : isLetGo ? ', no longer denied' : `, denied at ${block}`
    row('heartbeat', `${bar(effort.heartbeat / limit, { warn: warn / limit, full: 1 })} ${said}${dim(end)}`)
    const { overflow_warn, overflow_dehydrate } = settings
    const full = { warn: overflow_warn, full: overflow_dehydrate }
    row('context', `${bar(effort.contextUsage, full)} ${percent(effort.contextUsage)}`)
  }
  const { pendingInjections: waiting } = effort.metadata
  if (Array.isArray(waiting) && waiting.length > 0)
    row('waits', `${waiting.length} to be told after the next tool call`)
  for (const line of guardLines(effort)) out(line)
  for (const path of effort.discoveredDirectives) row('directive', plain(short(path)))
  section(
    'Windows',
    effort.sessions.map((window) => windowLine(window, effort.sessions)),
  )
  section(
    'Messages',
    effort.messages.map((message) => messageLine(message, effort)),
  )
  section(
    'Files',
    effort.artifacts.map(({ name, path }) => `${padTo(plain(name), 28)} ${dim(plain(short(path)))}`),
  )
}

function section(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  out(`\n${bold(title)}`)
  for (const line of lines) out(`  ${line}`)
}

/** `plan 12 min › build 3 min`: each with the time until the next. */
function phasesOf({ phases, finishedAt }: EffortDetail): string {
  const parts = phases.map(({ phase, at }, i) => {
    const until = phases[i + 1]?.at ?? finishedAt ?? Date.now()
    const isLast = i === phases.length - 1
    return `${isLast ? bold(plain(phase)) : plain(phase)} ${dim(age(until - at))}`
  })
  return parts.join(dim(' › '))
}

function windowLine(window: WindowView, all: readonly WindowView[]): string {
  const isChild = window.agentId !== ''
  const link =
    window.prevSessionId === null ? '' : isChild ? `of ${window.prevSessionId}` : `← ${window.prevSessionId}`
  const name = `${isChild ? '  └ ' : ''}#${window.id} ${link}`
  const who = isChild ? `sub-agent ${window.agentId}` : `${window.agent} ${window.nativeId.slice(0, 8)}`
  const end = window.endedAt ?? Date.now()
  const state =
    window.endedAt === null
      ? green('open')
      : dim(`closed${window.endReason ? `: ${plain(window.endReason)}` : ''}`)
  const facts = [
    age(end - window.startedAt),
    percent(window.contextUsage),
    ...(window.loadedFiles.length > 0 ? [`${counted(window.loadedFiles.length, 'file')} loaded`] : []),
    ...(window.runId === null ? [] : ['supervised']),
  ]
  const written = window.dehydrationPayload === null ? '' : yellow('  written down')
  const taken = written !== '' && all.some(({ recoveredFrom }) => recoveredFrom === window.id)
  return `${padTo(name, 14)} ${padTo(cut(plain(who), 24), 24)} ${padTo(facts.join(' · '), 24)} ${state}${written}${taken ? dim(', taken up') : ''}`
}

const ROLE_COLOURS: ReadonlyMap<string, (text: string) => string> = new Map([
  ['user', (text: string) => bold(cyan(text))],
  ['log', cyan],
  ['failure', red],
  ['dialogue', yellow],
])

function messageLine({ at, role, toolName, content, sessionId }: MessageView, effort: EffortDetail): string {
  const when = `+${age(at - effort.createdAt)}`.padStart(5)
  const head = `${when} ${`#${sessionId}`.padEnd(4)} `
  const label = padTo(cut(plain(role), 9), 9)
  const text = toolName === null ? content : `${toolName}: ${content}`
  const room = Math.max(10, columns() - head.length - 9 - 4)
  return `${dim(head)}${ROLE_COLOURS.get(role)?.(label) ?? label} ${cut(plain(text), room)}`
}
