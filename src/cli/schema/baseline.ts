/** Accepts the current payloads as the baseline. */
import { call } from '../../client/index.ts'
import { counted } from '../../core/text/text.ts'
import type { Baseline } from '../../rpc/index.ts'
import type { Input } from '../framework/define.ts'
import { bold, dim, green, outList, plain } from '../framework/terminal.ts'
import type * as commands from './index.ts'
import { write } from './types.ts'

export async function run({ flags, places }: Input<typeof commands.baseline>): Promise<number> {
  const { agent, out: file, json } = flags
  const made = await call(places, 'schema.baseline', { agent })
  if (file !== undefined) write(file, `${JSON.stringify(made.length === 1 ? made[0] : made, null, 2)}\n`)
  return outList(json, made, line)
}

function line({ agent, version, events }: Baseline): string {
  const all = Object.values(events)
  const fields = all.flatMap(({ fields = {}, tools = {} }) => [
    ...Object.keys(fields),
    ...Object.values(tools).flatMap((tool) => Object.keys(tool.fields ?? {})),
  ])
  const who = plain([agent, version].filter(Boolean).join(' '))
  return `${green('✓')} ${bold(who)}  ${dim(`${counted(all.length, 'event')}, ${counted(fields.length, 'field')}`)}`
}
