/** How an effort goes on: a word about progress, the next phase, its end. */
import { call, type EffortView } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Command } from './command.ts'
import { textOf, told, WHICH_OPTIONS, which } from './effort.ts'
import { readStdin } from './stdin.ts'
import { age, dim, plain, short, yellow } from './terminal.ts'

export const effortLog: Command = {
  name: 'effort log',
  summary: 'Note progress, and reset the heartbeat',
  usage: '<text…> [--effort <id>]',
  takes: Infinity,
  options: WHICH_OPTIONS,
  examples: [
    {
      line: 'gantry effort log "Index built; ranking is next"',
      does: 'One more line in the log; tool calls are counted from 0 again',
    },
    { line: 'git log -1 --format=%s | gantry effort log', does: 'From stdin' },
  ],
  async run(input) {
    const text = textOf(input) || (await readStdin()).trim()
    if (text === '')
      throw new GantryError('USAGE', 'Say what was done: gantry effort log "<what was done, what is next>"')
    const effort = (await call(input.places, 'effort.log', { ...which(input), text })) as EffortView & {
      readonly artifact: string | null
      readonly problem?: string
    }
    const problem = effort.problem === undefined ? [] : [`  ${yellow('!')} ${plain(effort.problem)}`]
    const where = effort.artifact === null ? [] : [`  ${dim('log')}  ${plain(short(effort.artifact))}`]
    return told(input, effort, ...where, ...problem)
  },
}

export const effortPhase: Command = {
  name: 'effort phase',
  summary: 'Move an effort to a phase',
  usage: '<name> [--effort <id>]',
  takes: Infinity,
  options: WHICH_OPTIONS,
  examples: [{ line: 'gantry effort phase test', does: 'The phase before stays in its history' }],
  async run(input) {
    const phase = textOf(input)
    if (phase === '') throw new GantryError('USAGE', 'Say which phase: gantry effort phase test')
    return told(input, (await call(input.places, 'effort.phase', { ...which(input), phase })) as EffortView)
  },
}

export const effortFinish: Command = {
  name: 'effort finish',
  summary: 'End an effort for good',
  usage: '[--effort <id>]',
  takes: Infinity,
  options: WHICH_OPTIONS,
  examples: [
    {
      line: 'gantry effort finish',
      does: 'Its log and its windows are kept; sessions are on their own again',
    },
    { line: 'gantry effort finish --effort 3', does: 'From anywhere' },
  ],
  async run(input) {
    if (input.args.length > 0)
      throw new GantryError('USAGE', `Say which as an option: gantry effort finish --effort ${input.args[0]}`)
    const effort = (await call(input.places, 'effort.finish', which(input))) as EffortView
    const took = age((effort.finishedAt ?? Date.now()) - effort.createdAt)
    const windows = effort.windows === 1 ? '1 window' : `${effort.windows} windows`
    return told(input, effort, `  ${dim('finished')}  after ${took}, ${windows}`)
  },
}
