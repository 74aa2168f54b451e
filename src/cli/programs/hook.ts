/** Help for the hook client; `main.ts` runs it before anything else is loaded. */
import { runHook } from '../../client/hook.ts'
import type { Input } from '../framework/define.ts'
import type * as commands from './index.ts'

export function run({ args: { agent, event, json } }: Input<typeof commands.hook>): Promise<number> {
  return runHook([agent, event, json].filter((word) => word !== undefined))
}
