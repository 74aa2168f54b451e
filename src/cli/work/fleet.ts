/** Shows the status of all agents, and waits for one of them. */
import { resolve } from 'node:path'
import { type AgentView, type AwaitedView, call, ENGINE_LOOKS, type LookTone } from '../../client/index.ts'
import type { Places } from '../../core/files/paths.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import { isAway } from '../framework/daemon.ts'
import type { Input } from '../framework/define.ts'
import {
  age,
  bold,
  byTone,
  columns,
  cut,
  dim,
  note,
  out,
  outJson,
  outList,
  padTo,
  plain,
} from '../framework/terminal.ts'
import type * as commands from './index.ts'

export async function status({ flags, places }: Input<typeof commands.fleetStatus>): Promise<number> {
  const fleet = await call(places, 'fleet.status')
  if (flags.json) return outJson(fleet)
  if (fleet.agents.length > 0) return outList(false, fleet.agents, agentLine)
  const hasEffort = (await call(places, 'effort.list', {})).length > 0
  const next = hasEffort
    ? 'Those that are active: gantry effort list'
    : 'Begin one with: gantry effort start <skill>'
  out(`No agent works on an effort yet. ${next}`)
  return 0
}

const SLICE_MS = 20_000 // below the 30 s of silence after which the daemon closes a connection
const RECONNECT_MS = 500

export async function wait({ flags, places }: Input<typeof commands.fleetAwait>): Promise<number> {
  const { effort, project, all } = flags
  const cwd = effort === undefined && project === undefined && !all ? process.cwd() : undefined
  const where: Scope = withoutUndefined({
    effort,
    project: project === undefined ? undefined : resolve(project),
    cwd,
  })
  const found = await awaited(places, where, flags.timeout).catch(awayOr)
  if (found === 'away') return AWAY
  const { result, signals } = found
  if (flags.json) outJson({ result, signals })
  else if (result === 'TIMEOUT') out('TIMEOUT')
  // Children first, since the first word is the result.
  else
    for (const { kind, about, detail } of [...signals].sort((a, b) => a.kind.localeCompare(b.kind)))
      out(`${bold(kind.padEnd(5))}  ${plain(about)}${detail ? `  ${plain(detail)}` : ''}`)
  // Acknowledged last: signals that were not printed are delivered again.
  const last = signals.at(-1)
  if (last) await call(places, 'fleet.heard', { upTo: last.n, ...where }).catch(() => {})
  return result === 'TIMEOUT' ? 1 : 0
}

const AWAY = 3 // a script that waits has to tell it from TIMEOUT

function awayOr(error: unknown): 'away' {
  if (!isAway(error)) throw error
  note(error.message)
  return 'away'
}

type Scope = { readonly effort?: number; readonly project?: string; readonly cwd?: string }

/** Waits in slices, through restarts of the daemon; it must be up at first. */
async function awaited(places: Places, where: Scope, ms: number): Promise<AwaitedView> {
  const end = performance.now() + ms
  const look = (timeoutMs: number) => call(places, 'fleet.await', { timeoutMs, keep: true, ...where })
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

function agentLine({ id, status, effortId, detail, updatedAt }: AgentView): string {
  const effort = (effortId === null ? '' : `effort ${effortId}`).padEnd(12)
  const old = age(Date.now() - updatedAt).padStart(4)
  const name = padTo(cut(plain(id), 20), 20)
  const room = Math.max(10, columns() - 2 - 20 - 1 - 10 - 1 - 12 - old.length - 2)
  const look = (ENGINE_LOOKS as Readonly<Record<string, { mark: string; tone: LookTone }>>)[status]
  const colour = byTone(look?.tone ?? 'quiet')
  return `${colour(look?.mark ?? '·')} ${bold(name)} ${colour(plain(status).padEnd(10))} ${dim(effort + old)}  ${cut(plain(detail ?? ''), room)}`.trimEnd()
}
