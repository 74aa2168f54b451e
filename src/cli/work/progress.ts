/** Logs progress, sets the phase, and finishes an effort. */
import { call } from '../../client/index.ts'
import type { Input } from '../framework/define.ts'
import { readStdin } from '../framework/read.ts'
import { age, counted, dim, plain, short, yellow } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import { told, which } from './effort.ts'
import type * as commands from './index.ts'

export async function log({ args, flags, places }: Input<typeof commands.log>): Promise<number> {
  const text = args.text || (await readStdin()).trim()
  if (text === '') throw usageError('Say what was done: gantry effort log "<what was done, what is next>"')
  const effort = await call(places, 'effort.log', { ...which(flags), text })
  const problem = effort.problem === undefined ? [] : [`  ${yellow('!')} ${plain(effort.problem)}`]
  const where = effort.artifact === null ? [] : [`  ${dim('log')}  ${plain(short(effort.artifact))}`]
  return told(flags.json, effort, ...where, ...problem)
}

export async function phase({
  args: { phase },
  flags,
  places,
}: Input<typeof commands.phase>): Promise<number> {
  return told(flags.json, await call(places, 'effort.phase', { ...which(flags), phase }))
}

export async function finish({ args, flags, places }: Input<typeof commands.finish>): Promise<number> {
  if (args.id !== undefined)
    throw usageError(`Say which as an option: gantry effort finish --effort ${args.id}`)
  const effort = await call(places, 'effort.finish', which(flags))
  const took = age((effort.finishedAt ?? Date.now()) - effort.createdAt)
  return told(flags.json, effort, `  ${dim('finished')}  after ${took}, ${counted(effort.windows, 'window')}`)
}
