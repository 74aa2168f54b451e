/** Lists efforts and tasks. */
import { call, type EffortView, type TaskView } from '../../client/index.ts'
import { percentWords } from '../../core/text/amount.ts'
import type { Input } from '../framework/define.ts'
import {
  age,
  bold,
  columns,
  cut,
  dim,
  green,
  out,
  outList,
  padTo,
  plain,
  short,
} from '../framework/terminal.ts'
import { bar } from './effort.ts'
import type * as commands from './index.ts'

export async function list({ flags, places }: Input<typeof commands.list>): Promise<number> {
  const efforts = await call(places, 'effort.list', { all: flags.all })
  const others = flags.all ? '' : ' "gantry effort list --all" shows those that are finished.'
  const none = `No effort is active. Begin one with: gantry effort start <skill>.${others}`
  if (!flags.json && efforts.length > 0 && process.stdout.isTTY) out(dim(HEAD))
  return outList(flags.json, efforts, (one) => effortLine(one), none)
}

export async function tasks({ flags, places }: Input<typeof commands.tasks>): Promise<number> {
  const tasks = await call(places, 'task.list')
  const none = 'No tasks. One begins with its first effort: gantry effort start <skill>'
  return outList(flags.json, tasks, taskLines, none)
}

function taskLines({ title, dirPath, keywords, active, efforts }: TaskView): string {
  const words = keywords.length === 0 ? '' : `  ${keywords.map((word) => `#${plain(word)}`).join(' ')}`
  const name = `${active ? green('●') : dim('○')} ${bold(plain(title))}`
  const lines = efforts.map((effort) => `  ${effortLine(effort, effort.agentId ?? '')}`)
  return [`${name}  ${dim(plain(short(dirPath)) + words)}`, ...lines].join('\n')
}

/** The daemon's default limits, as shares of the context. */
const USUAL = { warn: 0.8, full: 0.9 }
const INDENT = 2

/** Above `effortLine`; `♥` counts the tool calls since the last log. */
const HEAD = '    ID SKILL          PHASE          WINDOWS CALLS  CONTEXT         AGE  TASK'

function effortLine(effort: EffortView, about = aboutOf(effort)): string {
  const isActive = effort.lifecycle === 'active'
  const mark = isActive ? green('●') : dim('○')
  const id = String(effort.id).padStart(4)
  const skill = padTo(cut(plain(effort.skill), 14), 14)
  const phase = padTo(cut(plain(effort.currentPhase ?? ''), 12), 12)
  const old = age((effort.finishedAt ?? Date.now()) - effort.createdAt).padStart(4)
  const windows = `${effort.windows} window${effort.windows === 1 ? ' ' : 's'}`.padStart(10)
  const beat = (isActive && effort.heartbeat > 0 ? `♥ ${effort.heartbeat}` : '').padStart(5)
  const context = isActive
    ? `${bar(effort.contextUsage, USUAL)} ${percentWords(effort.contextUsage * 100).padStart(5)}`
    : dim('finished'.padEnd(16))
  const used = 2 + id.length + 1 + 14 + 1 + 12 + windows.length + beat.length + 2 + 16 + old.length + 2
  const what = cut(plain(about), Math.max(10, columns() - used - INDENT))
  return `${mark} ${bold(id)} ${skill} ${phase}${dim(windows + beat)}  ${context}${dim(old)}  ${what}`
}

function aboutOf({ title, agentId }: EffortView): string {
  return agentId === null ? title : `${title} · ${agentId}`
}
