/** Prints address and token of the NATS server, for other clients. */
import { call } from '../../client/index.ts'
import type { Input } from '../framework/define.ts'
import { dim, out, outJson } from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function run({ flags, places }: Input<typeof commands.natsInfo>): Promise<number> {
  const info = await call(places, 'bus.natsInfo')
  if (flags.json) outJson(info)
  else for (const [name, value] of Object.entries(info)) out(`${dim(name.padEnd(10))} ${String(value)}`)
  return 0
}
