/** One call to the daemon, for scripts. */
import { call, callByName } from '../../client/index.ts'
import type { Input } from '../framework/define.ts'
import { parseJson } from '../framework/read.ts'
import { bold, dim, out } from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function run({ args, flags, places }: Input<typeof commands.rpc>): Promise<number> {
  const { name, json = '{}' } = args
  if (name === undefined) {
    const calls = await call(places, 'calls')
    if (flags.json) out(JSON.stringify(calls))
    else
      for (const one of calls)
        out(`${bold(one.name.padEnd(14))} ${one.summary}  ${dim(JSON.stringify(one.example))}`)
    return 0
  }
  const data = await callByName(
    places,
    name,
    parseJson(json, 'The argument', `Quote it: gantry rpc status '{}'`),
  )
  out(flags.json ? JSON.stringify(data) : JSON.stringify(data, null, 2))
  return 0
}
