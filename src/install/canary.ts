/**
 * The proof that an installed hook works: runs the exact command of the settings file as the agent would, with a payload of
 * its own, and looks for exactly that event in the journal. The agent itself is never started: that would open a session in
 * its history, might ask for trust or an update, and could send something to its model.
 */
import { readFileSync } from 'node:fs'
import { agentFor, type HookClient } from '../agents/index.ts'
import { call } from '../client/index.ts'
import { messageOf } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { isObject } from '../core/is-object.ts'
import { run } from '../core/processes/exec.ts'
import { until } from '../core/time/waits.ts'
import { CANARY, newId } from '../events/index.ts'
import { startsClient } from './edit/pointers.ts'
import { decode, settingsIn } from './edit/settings-text.ts'
import type { InstallPlan } from './install.ts'

const RUN_MS = 15_000 // longer than any deadline of the hook client
const ARRIVE_MS = 5_000 // a hook that finds no daemon starts one and spools
const LOOK_MS = 50
const MAX_ERROR_CHARS = 200

/** `none`: there is no command to run, because the agent loads the hooks as code. */
type CanaryOutcome =
  | { readonly kind: 'arrived'; readonly ms: number }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'none' }

export async function sendCanary(
  { agent, file, events }: Pick<InstallPlan, 'agent' | 'file' | 'events'>,
  places: Places,
  client: HookClient,
): Promise<CanaryOutcome> {
  const event = events.find((name) => agentFor(agent.id).events[name]?.type === 'SessionStart')
  const argv = event === undefined ? undefined : commandFor(file, event, client)
  if (!argv) return { kind: 'none' }
  const session = `${CANARY}${newId()}`
  const said = {
    hook_event_name: event,
    session_id: session,
    sessionId: session,
    cwd: '/',
    source: 'startup',
  }
  const began = performance.now()
  try {
    const ran = await run(argv, {
      cwd: '/',
      env: process.env,
      stdin: JSON.stringify(said),
      timeoutMs: RUN_MS,
    })
    if (ran.isLate) return { kind: 'failed', why: 'it did not end' }
    if (ran.exit !== 0)
      return {
        kind: 'failed',
        why: `it ended with exit code ${ran.exit}: ${ran.stderr.trim().slice(0, MAX_ERROR_CHARS)}`,
      }
  } catch (error) {
    return { kind: 'failed', why: `it could not be started: ${messageOf(error)}` }
  }
  const has = async () =>
    (await call(places, 'events.list', { session, limit: 1 }).catch(() => [])).length > 0
  if (await until(has, ARRIVE_MS, LOOK_MS))
    return { kind: 'arrived', ms: Math.round(performance.now() - began) }
  return { kind: 'failed', why: 'it ran, and gantry did not get its event' }
}

/** The command of our hook for this event, as the file has it now; not what should be there. */
function commandFor(file: string, event: string, client: HookClient): string[] | undefined {
  const settings = settingsIn(decode(readFileSync(file), file), file)
  const hooks = isObject(settings) && isObject(settings.hooks) ? settings.hooks[event] : undefined
  const entries = Array.isArray(hooks) ? hooks : []
  const handlers: unknown[] = entries.flatMap((one) =>
    isObject(one) && Array.isArray(one.hooks) ? one.hooks : [one],
  )
  const ours = handlers.find((one) => startsClient(one, client, process.env))
  if (!isObject(ours)) return undefined
  const { command, args, bash = command } = ours
  if (typeof bash !== 'string') return undefined
  return Array.isArray(args) ? [bash, ...args.map(String)] : ['sh', '-c', bash]
}
