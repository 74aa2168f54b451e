/** NATS in the daemon: builds the bus from configuration and environment, and reports its problems. */
import { existsSync, mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { removeInfo } from '../client/nats-info.ts'
import { messageOf } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import { readOrMakeToken } from '../core/files/private-files.ts'
import { lazy } from '../core/lazy.ts'
import type { Log } from '../core/log.ts'
import { counted } from '../core/text/text.ts'
import type { Finding, NatsStatus } from '../rpc/index.ts'
import type { FollowerStore } from '../store/index.ts'
import { lastAddress, NatsBus, type NatsPlan, natsPlan, type Streams } from './index.ts'
import type { NatsConfig } from './nats/config.ts'
import { serverFiles } from './nats/server-config.ts'

const serverProcess = lazy(
  () => require('./nats/server-process.ts') as typeof import('./nats/server-process.ts'),
)

interface NatsParts {
  readonly store: FollowerStore
  readonly streams: Streams
  readonly log: Log
  readonly places: Places
  /** Called with the number of sent messages when none is left. */
  readonly rested: (count: number) => void
}

export function openNats({ store, streams, log, places, rested }: NatsParts): NatsBus {
  return new NatsBus({
    store,
    sources: streams,
    log,
    rested,
    dir: places.nats,
    infoFile: places.natsInfo,
    beadsDir: process.env.BEADS_DIR,
    token: () => {
      mkdirSync(places.nats, { recursive: true, mode: 0o700 })
      return readOrMakeToken(join(places.nats, 'token'))
    },
  })
}

/** Ends the nats-server that a killed daemon left, and removes its address: gantry runs none now. */
export async function removeLeftNats({ nats }: Places, log: Log): Promise<void> {
  removeInfo(nats)
  if (existsSync(serverFiles(nats).pid)) await serverProcess().endLeftServer(nats, log)
}

export interface NatsConfigs {
  readonly nats: NatsConfig
}

export function applyNats(nats: NatsBus, config: NatsConfigs, places: Places): void {
  nats.apply(() => planOf(config, places))
}

function planOf(config: NatsConfigs, places: Places): NatsPlan {
  return natsPlan(config.nats, process.env, {
    find: (program) => Bun.which(program) ?? undefined,
    host: hostname(),
    own: lastAddress(places.nats),
  })
}

/** What is planned, before anything is connected. */
export function plannedNats(
  config: NatsConfigs,
  places: Places,
): { nats: NatsStatus; natsServer: string | null; problems: readonly Finding[] } {
  let plan: NatsPlan
  let problem: string | null = null
  try {
    plan = planOf(config, places)
  } catch (error) {
    problem = messageOf(error)
    plan = { mode: 'off', why: problem }
  }
  const { mode } = plan
  const why = plan.mode === 'off' ? plan.why : 'it is just starting'
  const nowhere = {
    connected: false,
    url: null,
    serverVersion: null,
    serverPid: null,
    problem,
    streams: [],
  }
  return {
    nats: { mode, why, ...nowhere },
    natsServer: plan.mode === 'managed' ? plan.executable : null,
    problems: problem === null ? [] : [{ level: 'fail', about: 'nats', message: problem }],
  }
}

export async function natsFindings(nats: NatsBus): Promise<Finding[]> {
  await nats.refresh()
  return natsProblems(nats)
}

/** Known problems, without asking the server. */
export function natsProblems(nats: NatsBus): Finding[] {
  return nats.problems().map((problem) => ({ ...problem, about: 'nats' }))
}

/** One line for `gantry status`. */
export function natsLine({ mode, connected, url, problem, streams }: NatsStatus): string {
  if (mode === 'off') return problem === null ? 'off' : `off: ${problem}`
  const backlog = streams.reduce((sum, stream) => sum + stream.backlog, 0)
  const waiting = backlog > 0 ? `, ${counted(backlog, 'message waits', 'messages wait')}` : ''
  if (!connected) return `${mode}, ${problem ? `not connected: ${problem}` : 'starting'}${waiting}`
  const error = streams.find(({ lastError }) => lastError !== null)?.lastError
  return `${url} (${mode})${error ? `: ${error}` : ''}${waiting}`
}
