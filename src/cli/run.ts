/** An agent under supervision in this terminal: `gantry run -- claude`. */
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { isCompiled } from '../core/self.ts'
import { type Ended, MAX_RESTARTS, RESTART_SPAN_MS, RESTARTED_AGENTS, supervise } from '../run/index.ts'
import { type Command, stringFlag } from './command.ts'

export const run: Command = {
  name: 'run',
  summary: 'Run an agent, and start it afresh when its context is full',
  usage: '[--agent-id <id>] [--as <agent>] [--] <agent> [arguments…]',
  takes: Infinity,
  passesOn: true,
  options: {
    'agent-id': {
      type: 'string',
      value: 'id',
      help: 'Its name: it works on the effort of that name (AGENT_ID)',
    },
    as: {
      type: 'string',
      value: 'agent',
      help: `Read the command line as that of ${RESTARTED_AGENTS.join(' or ')}, for a script with another name`,
    },
  },
  examples: [
    {
      line: 'gantry run -- claude --model opus',
      does: 'Claude in this terminal; a fresh one goes on with its effort',
    },
    { line: 'gantry run --agent-id tester codex', does: 'Codex as the agent "tester"' },
    {
      line: 'gantry run claude -p "fix the tests"',
      does: `Without a terminal; at most ${MAX_RESTARTS} fresh starts in ${RESTART_SPAN_MS / 60_000} minutes, and the exit code of the last`,
    },
  ],
  async run(input) {
    const { args, places } = input
    if (args.length === 0) throw new GantryError('USAGE', 'Say what to run, such as: gantry run -- claude')
    const agentId = stringFlag(input, 'agent-id')
    const as = stringFlag(input, 'as')
    if (as !== undefined && !RESTARTED_AGENTS.some((agent) => agent === as))
      throw new GantryError('USAGE', `--as takes ${RESTARTED_AGENTS.join(' or ')}, not "${as}".`)
    return endLike(await supervise({ places, argv: args, as, env: environment(places, agentId) }))
  },
}

function environment(places: Places, agentId: string | undefined): Record<string, string | undefined> {
  return {
    ...process.env,
    PATH: withGantry(process.env.PATH ?? ''),
    ...(places.home === undefined ? {} : { GANTRY_HOME: places.home }),
    ...(agentId === undefined ? {} : { AGENT_ID: agentId }),
  }
}

/** Agents are told to call gantry; where it is not on the PATH, ours is put behind everything else. */
function withGantry(path: string): string {
  if (Bun.which('gantry', { PATH: path })) return path
  const folder = isCompiled() ? dirname(process.execPath) : join(import.meta.dir, '../../bin')
  return existsSync(join(folder, 'gantry')) ? [path, folder].filter(Boolean).join(delimiter) : path
}

/** Signals that leave a memory image behind: the agent's is enough. */
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

/** With the agent's exit code, or by the signal that ended it. */
async function endLike({ exitCode, signal }: Ended): Promise<number> {
  if (signal === null) return exitCode ?? 1
  if (!DUMPING.has(signal)) {
    process.kill(process.pid, signal)
    await Bun.sleep(DEATH_MS)
  }
  return 128 + (constants.signals[signal] ?? 0)
}
