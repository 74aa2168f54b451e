/** Shows one effort: phases, windows, messages, files. */
import { call, type EffortDetail, type MessageView, type WindowView } from '../../client/index.ts'
import { percentWords } from '../../core/text/amount.ts'
import { counted } from '../../core/text/text.ts'
import type { Input } from '../framework/define.ts'
import {
  age,
  bold,
  columns,
  cut,
  cyan,
  dim,
  green,
  out,
  outJson,
  padTo,
  plain,
  red,
  short,
  yellow,
} from '../framework/terminal.ts'
import { bar, nameOf, which } from './effort.ts'
import type * as commands from './index.ts'
import { guardLines } from './steer.ts'

export async function run({ args, flags, places }: Input<typeof commands.show>): Promise<number> {
  const wanted = which({ effort: args.id ?? flags.effort })
  const effort = await call(places, 'effort.get', { ...wanted, messages: flags.limit })
  if (flags.json) return outJson(effort)
  show(effort)
  return 0
}

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
    row('context', `${bar(effort.contextUsage, full)} ${percentWords(effort.contextUsage * 100)}`)
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

/** `plan 12m › build 3m`: each phase with its duration. */
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
    percentWords(window.contextUsage * 100),
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
