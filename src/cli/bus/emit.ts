/** Emits a hook, answered as on bd's bus, or an event of the user's own. */
import { readFileSync } from 'node:fs'
import { call, DEFAULT_AGENT } from '../../client/index.ts'
import type { Input } from '../framework/define.ts'
import { out } from '../framework/terminal.ts'
import { usageError } from '../framework/usage.ts'
import type * as commands from './index.ts'

const HOOK_NAME = /^[A-Za-z0-9_.:-]{1,64}$/

export async function run({ flags, places }: Input<typeof commands.emit>): Promise<number> {
  if (flags.hook !== undefined) return emitHook(flags, flags.hook)
  const payload = flags.payload === '-' ? readFileSync(0, 'utf8') : (flags.payload ?? '{}')
  const args = { event: flags.event ?? '', payload, agent: flags.agent }
  const { id, seq } = await call(places, 'bus.emit', args)
  out(flags.json ? JSON.stringify({ id, seq }) : `${id}  #${seq}`)
  return 0
}

/** Runs the hook client, with the same fallback if the daemon is down. */
async function emitHook(
  { agent = DEFAULT_AGENT, home, json, payload }: Input<typeof commands.emit>['flags'],
  hook: string,
): Promise<number> {
  if (!HOOK_NAME.test(hook)) throw usageError(`"${hook}" is not the name of a hook. Try: --hook Stop`)
  if (json || payload !== undefined)
    throw usageError('--json and --payload go with --event; a hook has its payload on stdin.')
  const { runHook } = await import('../../client/hook.ts')
  return runHook([...(home === undefined ? [] : ['--home', home]), agent, hook], { reply: 'bus' })
}
