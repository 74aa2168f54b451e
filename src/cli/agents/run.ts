/** Runs an agent under supervision in this terminal: `gantry run -- claude`. */
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Places } from '../../core/files/paths.ts'
import { selfPath } from '../../core/processes/self.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import { type Ended, RESTARTED_AGENTS, supervise } from '../../run/index.ts'
import type { Input } from '../framework/define.ts'
import { readValue } from '../framework/kinds.ts'
import type * as commands from './index.ts'

export async function run({ args, flags, places }: Input<typeof commands.run>): Promise<number> {
  const as =
    flags.as &&
    (readValue(flags.as, '--as', { kind: 'choice', value: 'agent', choices: RESTARTED_AGENTS }) as string)
  const argv = [args.agent, ...args.arguments]
  return endLike(await supervise({ places, argv, as, env: environment(places, flags['agent-id']) }))
}

function environment(places: Places, agentId: string | undefined): Record<string, string | undefined> {
  return {
    ...process.env,
    PATH: withGantry(process.env.PATH ?? ''),
    ...withoutUndefined({ GANTRY_HOME: places.home, AGENT_ID: agentId }),
  }
}

/** Agents are told to call gantry. If it is not on the PATH, appends our folder to it. */
function withGantry(path: string): string {
  if (Bun.which('gantry', { PATH: path })) return path
  const folder = dirname(selfPath())
  return existsSync(join(folder, 'gantry')) ? [path, folder].filter(Boolean).join(delimiter) : path
}

/** Signals that dump core: one dump, the agent's, is enough. */
const DUMPING: ReadonlySet<string> = new Set([
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGQUIT',
  'SIGSEGV',
  'SIGSYS',
  'SIGTRAP',
])
const DEATH_MS = 1_000 // a signal to ourselves comes at once

/** Exits with the agent's exit code, or dies of the same signal. */
async function endLike({ exitCode, signal }: Ended): Promise<number> {
  if (signal === null) return exitCode ?? 1
  if (!DUMPING.has(signal)) {
    process.kill(process.pid, signal)
    await Bun.sleep(DEATH_MS)
  }
  return 128 + (constants.signals[signal] ?? 0)
}
