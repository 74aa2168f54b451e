/** The efforts there are, and the tasks they belong to. */
import { call, type EffortView, type TaskView } from '../client/index.ts'
import type { Command } from './command.ts'
import { bar, percent } from './effort.ts'
import { age, bold, columns, cut, dim, green, out, padTo, plain, short } from './terminal.ts'

export const effortList: Command = {
  name: 'effort list',
  summary: 'Show the efforts that are active',
  usage: '[--all] [--json]',
  options: {
    all: { type: 'boolean', short: 'a', help: 'Also those that are finished' },
    json: { type: 'boolean', help: 'Print an array of efforts' },
  },
  examples: [
    { line: 'gantry effort list', does: 'Phase, windows, tool calls since the last log, context, age' },
    { line: 'gantry effort list --all --json | jq length', does: 'How many there ever were' },
  ],
  async run({ flags, places }) {
    const efforts = (await call(places, 'effort.list', { all: flags.all === true })) as EffortView[]
    if (flags.json) out(JSON.stringify(efforts, null, 2))
    else if (efforts.length === 0) {
      const others = flags.all ? '' : ' "gantry effort list --all" shows those that are finished.'
      out(`No effort is active. Begin one with: gantry effort start <skill>.${others}`)
    } else for (const effort of efforts) out(effortLine(effort))
    return 0
  },
}

export const taskList: Command = {
  name: 'task list',
  summary: 'Show tasks and their efforts',
  usage: '[--json]',
  options: { json: { type: 'boolean', help: 'Print an array of tasks with their efforts' } },
  examples: [
    { line: 'gantry task list', does: 'A task never ends; it is active while one of its efforts is' },
  ],
  async run({ flags, places }) {
    const tasks = (await call(places, 'task.list')) as TaskView[]
    if (flags.json) out(JSON.stringify(tasks, null, 2))
    else if (tasks.length === 0)
      out('No tasks. One begins with its first effort: gantry effort start <skill>')
    else for (const task of tasks) showTask(task)
    return 0
  },
}

function showTask({ title, dirPath, keywords, active, efforts }: TaskView): void {
  const words = keywords.length === 0 ? '' : `  ${keywords.map((word) => `#${plain(word)}`).join(' ')}`
  const name = `${active ? green('●') : dim('○')} ${bold(plain(title))}`
  out(`${name}  ${dim(plain(short(dirPath)) + words)}`)
  for (const effort of efforts) out(`  ${effortLine(effort, effort.agentId ?? '')}`)
}

/** Shares of the context as the daemon has them where an effort says nothing else. */
const USUAL = { warn: 0.8, full: 0.9 }
const INDENT = 2

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
    ? `${bar(effort.contextUsage, USUAL)} ${percent(effort.contextUsage).padStart(5)}`
    : dim('finished'.padEnd(16))
  const used = 2 + id.length + 1 + 14 + 1 + 12 + windows.length + beat.length + 2 + 16 + old.length + 2
  const what = cut(plain(about), Math.max(10, columns() - used - INDENT))
  return `${mark} ${bold(id)} ${skill} ${phase}${dim(windows + beat)}  ${context}${dim(old)}  ${what}`
}

function aboutOf({ title, agentId }: EffortView): string {
  return agentId === null ? title : `${title} · ${agentId}`
}
