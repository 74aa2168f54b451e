/** Many agents at once: what each is at, and waiting for one of them. */
import { type AgentView, type AwaitedView, call, type FleetView } from '../client/index.ts'
import { GantryError } from '../errors.ts'
import type { Places } from '../places.ts'
import type { Command } from './command.ts'
import { spanFlag } from './effort.ts'
import { bold, columns, cut, dim, duration, green, out, padTo, plain, red, yellow } from './terminal.ts'

/** In the order in which they matter. */
const STATUSES = ['error', 'attention', 'working', 'checked', 'done']

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
    const fleet = (await call(places, 'fleet.status')) as FleetView
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
  usage: '[--timeout 60s] [--json]',
  options: {
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
      does: 'Prints CHILD, WORK or TIMEOUT and what it is about; exit 1 for TIMEOUT, else 0',
    },
    {
      line: 'while gantry fleet await --timeout 1h; do gantry fleet status; done',
      does: 'Looks each time something happens, until nothing does for an hour',
    },
  ],
  async run(input) {
    const { result, signals } = await awaited(input.places, spanFlag(input, 'timeout', AWAIT_MS))
    if (input.flags.json) out(JSON.stringify({ result, signals }, null, 2))
    else if (result === 'TIMEOUT') out('TIMEOUT')
    // Children first: the first word is the result.
    else
      for (const { kind, about, detail } of [...signals].sort((a, b) => a.kind.localeCompare(b.kind)))
        out(`${bold(kind.padEnd(5))}  ${plain(about)}${detail ? `  ${plain(detail)}` : ''}`)
    // Only now: what was not printed, or not taken back, is told again.
    const last = signals.at(-1)
    if (last) await call(input.places, 'fleet.heard', { upTo: last.n }).catch(() => {})
    return result === 'TIMEOUT' ? 1 : 0
  },
}

/** In slices, and through a restart of the daemon; one that is not there at first is an error. */
async function awaited(places: Places, ms: number): Promise<AwaitedView> {
  const end = performance.now() + ms
  const look = (timeoutMs: number) =>
    call(places, 'fleet.await', { timeoutMs, keep: true }) as Promise<AwaitedView>
  let found = await look(0)
  while (found.result === 'TIMEOUT' && performance.now() < end) {
    try {
      found = await look(Math.ceil(Math.min(SLICE_MS, end - performance.now())))
    } catch (error) {
      const isAway = error instanceof GantryError && error.code === 'DAEMON_AWAY'
      if (!isAway || performance.now() >= end) throw error
      await Bun.sleep(RECONNECT_MS)
    }
  }
  return found
}

function byUrgency(a: AgentView, b: AgentView): number {
  return STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status) || b.updatedAt - a.updatedAt
}

function agentLine({ id, status, effortId, detail, updatedAt }: AgentView): string {
  const effort = (effortId === null ? '' : `effort ${effortId}`).padEnd(12)
  const age = duration(Date.now() - updatedAt).padStart(11)
  const name = padTo(cut(plain(id), 20), 20)
  const room = Math.max(10, columns() - 2 - 20 - 1 - 10 - 1 - 12 - age.length - 2)
  const colour = colourOf(status)
  return `${colour(status === 'done' ? '○' : '●')} ${bold(name)} ${colour(plain(status).padEnd(10))} ${dim(effort + age)}  ${cut(plain(detail ?? ''), room)}`.trimEnd()
}

function colourOf(status: string): (text: string) => string {
  if (status === 'error') return red
  if (status === 'attention') return yellow
  return status === 'working' ? green : dim
}
