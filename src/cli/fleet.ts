/** Many agents at once: what each is at, and waiting for one of them. */
import { resolve } from 'node:path'
import {
  type AgentView,
  type AwaitedView,
  call,
  ENGINE_LOOKS,
  ENGINE_ORDER,
  type LookTone,
} from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import type { Command, Input } from './command.ts'
import { effortId, spanFlag } from './effort.ts'
import { age, bold, byTone, columns, cut, dim, note, out, padTo, plain } from './terminal.ts'

export const fleetStatus: Command = {
  name: 'fleet status',
  summary: 'Show what every agent that works on an effort is at',
  usage: '[--json]',
  options: { json: { type: 'boolean', help: 'Print the most urgent status and all agents' } },
  examples: [
    { line: 'gantry fleet status', does: 'error, attention, working, checked, done: in this order' },
    { line: 'gantry fleet status --json | jq -r .status', does: 'The most urgent of all, in one word' },
  ],
  async run({ flags, places }) {
    const fleet = await call(places, 'fleet.status')
    if (flags.json) out(JSON.stringify(fleet, null, 2))
    else if (fleet.agents.length === 0)
      out('No agent works on an effort yet. Begin one with: gantry effort start <skill>')
    else for (const agent of [...fleet.agents].sort(byUrgency)) out(agentLine(agent))
    return 0
  },
}

const AWAIT_MS = 60_000
const SLICE_MS = 20_000 // below the 30 s of silence after which the daemon closes a connection
const RECONNECT_MS = 500

export const fleetAwait: Command = {
  name: 'fleet await',
  summary: 'Wait for an agent that is done or stuck, or for new work',
  usage: '[--timeout 60s] [--effort <id> | --project <dir> | --all] [--json]',
  options: {
    effort: { type: 'string', value: 'id', help: 'Only what happens in this effort' },
    project: {
      type: 'string',
      value: 'dir',
      help: 'Only what happens in the project around this folder (default: around this one, if there is one)',
    },
    all: { type: 'boolean', help: 'Whatever happens in any project' },
    timeout: {
      type: 'string',
      value: 'span',
      help: 'How long, as 90s, 15m or 1h (default 60s); 0s only looks',
    },
    json: { type: 'boolean', help: 'Print the result and all signals' },
  },
  examples: [
    {
      line: 'gantry fleet await --timeout 10m',
      does: 'Prints CHILD, WORK or TIMEOUT and what it is about; exit 1 for TIMEOUT, 3 without a daemon, else 0',
    },
    {
      line: 'while gantry fleet await --timeout 1h; do gantry fleet status; done',
      does: 'Looks each time something happens, until nothing does for an hour',
    },
  ],
  async run(input) {
    const where = scopeOf(input)
    const found = await awaited(input.places, where, spanFlag(input, 'timeout', AWAIT_MS)).catch(awayOr)
    if (found === 'away') return AWAY
    const { result, signals } = found
    if (input.flags.json) out(JSON.stringify({ result, signals }, null, 2))
    else if (result === 'TIMEOUT') out('TIMEOUT')
    // Children first: the first word is the result.
    else
      for (const { kind, about, detail } of [...signals].sort((a, b) => a.kind.localeCompare(b.kind)))
        out(`${bold(kind.padEnd(5))}  ${plain(about)}${detail ? `  ${plain(detail)}` : ''}`)
    // Only now: what was not printed, or not taken back, is told again.
    const last = signals.at(-1)
    if (last) await call(input.places, 'fleet.heard', { upTo: last.n, ...where }).catch(() => {})
    return result === 'TIMEOUT' ? 1 : 0
  },
}

const AWAY = 3 // a script that waits has to tell it from TIMEOUT

function awayOr(error: unknown): 'away' {
  if (!isAway(error)) throw error
  note(error.message)
  return 'away'
}

function isAway(error: unknown): error is GantryError {
  return error instanceof GantryError && error.code === 'DAEMON_AWAY'
}

type Scope = { readonly effort?: number; readonly project?: string; readonly cwd?: string }

function scopeOf(input: Input): Scope {
  const { effort, project, all } = input.flags
  if ([effort, project, all].filter((flag) => flag !== undefined && flag !== false).length > 1)
    throw new GantryError('USAGE', 'One of --effort, --project and --all says whom to wait for, not two.')
  if (typeof effort === 'string') return { effort: effortId(effort) }
  if (typeof project === 'string') return { project: resolve(project) }
  return all ? {} : { cwd: process.cwd() }
}

/** In slices, and through a restart of the daemon; one that is not there at first is an error. */
async function awaited(places: Places, where: Scope, ms: number): Promise<AwaitedView> {
  const end = performance.now() + ms
  const look = (timeoutMs: number) =>
    call(places, 'fleet.await', { timeoutMs, keep: true, ...where }) as Promise<AwaitedView>
  let found = await look(0)
  while (found.result === 'TIMEOUT' && performance.now() < end) {
    try {
      found = await look(Math.ceil(Math.min(SLICE_MS, end - performance.now())))
    } catch (error) {
      if (!isAway(error) || performance.now() >= end) throw error
      await Bun.sleep(RECONNECT_MS)
    }
  }
  return found
}

function byUrgency(a: AgentView, b: AgentView): number {
  const rank = ({ status }: AgentView) => ENGINE_ORDER.indexOf(status as (typeof ENGINE_ORDER)[number])
  return rank(a) - rank(b) || b.updatedAt - a.updatedAt
}

function agentLine({ id, status, effortId, detail, updatedAt }: AgentView): string {
  const effort = (effortId === null ? '' : `effort ${effortId}`).padEnd(12)
  const old = age(Date.now() - updatedAt).padStart(4)
  const name = padTo(cut(plain(id), 20), 20)
  const room = Math.max(10, columns() - 2 - 20 - 1 - 10 - 1 - 12 - old.length - 2)
  const look = (ENGINE_LOOKS as Readonly<Record<string, { mark: string; tone: LookTone }>>)[status]
  const colour = byTone(look?.tone ?? 'quiet')
  return `${colour(look?.mark ?? '·')} ${bold(name)} ${colour(plain(status).padEnd(10))} ${dim(effort + old)}  ${cut(plain(detail ?? ''), room)}`.trimEnd()
}
