/** NATS in the daemon: builds the bus from configuration and environment, and reports its problems. */

import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Places } from '../../core/files/paths.ts'
import { readOrMakeToken } from '../../core/files/private-files.ts'
import type { Log } from '../../core/log.ts'
import { counted } from '../../core/text/text.ts'
import type { Finding } from '../../rpc/index.ts'
import type { Store } from '../../store/index.ts'
import { lastAddress, NatsBus, type NatsPlan, type NatsStatus, natsPlan, type Sources } from '../index.ts'
import type { NatsConfig } from './config.ts'

export interface NatsParts {
  readonly store: Store
  readonly sources: Sources
  readonly log: Log
  readonly places: Places
  /** Called with the number of sent messages when none is left. */
  readonly rested: (count: number) => void
}

const START_AFTER_MS = 200 // the socket comes first: loading the NATS packages takes some forty milliseconds

export function openNats({ store, sources, log, places, rested }: NatsParts): NatsBus {
  return new NatsBus({
    store,
    sources,
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

/** Call once the daemon listens. */
export function startNats(nats: NatsBus, config: { readonly nats: NatsConfig }, places: Places): void {
  nats.apply(() => planOf(config, places), START_AFTER_MS)
}

export function applyNats(nats: NatsBus, config: { readonly nats: NatsConfig }, places: Places): void {
  nats.apply(() => planOf(config, places))
}

function planOf(config: { readonly nats: NatsConfig }, places: Places): NatsPlan {
  return natsPlan(config.nats, process.env, {
    find: (program) => Bun.which(program) ?? undefined,
    host: hostname(),
    own: lastAddress(places.nats),
  })
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
