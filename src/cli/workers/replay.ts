/** The second process of `gantry rules replay`: the other half of the sessions. */
import { type ReplayTask, replayPart } from '../decisions/past.ts'
import { outJson } from '../framework/terminal.ts'

export async function run(): Promise<number> {
  return outJson(await replayPart((await Bun.stdin.json()) as ReplayTask, 1))
}
