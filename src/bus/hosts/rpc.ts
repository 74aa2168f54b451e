/** Calls about the sessions of other hosts. */
import { hostname } from 'node:os'
import { z } from 'zod'
import type { FleetHost, FleetSession, FleetSessions } from '../../client/index.ts'
import { messageOf } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import type { CallHandlers } from '../../rpc/index.ts'
import { viewWithLocation } from '../../sessions/index.ts'
import { inOrder, PHASES, type SessionView, STALE_MS } from '../../sessions/state/index.ts'
import type { HostRecords, HostsBus, HostsLink } from '../index.ts'
import { type HostsOptions, living } from './service.ts'

const SILENT_MS = 15_000 // three missed heartbeats

export function hostsCalls({
  hosts,
  hostsLink,
  tracker,
  git,
  config,
}: { hosts: HostsBus; hostsLink: HostsLink } & Pick<HostsOptions, 'tracker' | 'git' | 'config'>) {
  return {
    'fleet.sessions': async (): Promise<FleetSessions> => {
      const host = config().nats.host || hostname()
      const alive = living(tracker)
      await git.see(alive.map(({ cwd }) => cwd))
      const own = alive.map((session) => viewWithLocation(session, git, Date.now()))
      try {
        return merged(await hosts.read(hostsLink.where), host, own, Date.now())
      } catch (error) {
        return { ...merged({ hosts: [], sessions: [] }, host, own, Date.now()), problem: messageOf(error) }
      }
    },
  } satisfies Partial<CallHandlers>
}

/** This host as it is now, the others as last reported. */
export function merged(
  { hosts, sessions }: HostRecords,
  self: string,
  own: readonly SessionView[],
  now: number,
): FleetSessions {
  // Only the server's clock counts: the newest heartbeat is at most one interval old.
  const newest = Math.max(...hosts.map(({ at }) => at), 0)
  const others = hosts.filter(({ host }) => host !== self)
  const states = new Map<string, FleetHost['state']>(
    others.map(({ host, left, at }) => [
      host,
      left ? 'stopped' : newest - at > SILENT_MS ? 'silent' : 'here',
    ]),
  )
  const told = sessions.flatMap(({ host, view }): FleetSession[] => {
    const hostState = states.get(host)
    const session = viewSchema.safeParse(view)
    if (hostState === undefined || !session.success) return []
    const stale = now - session.data.lastActivity > STALE_MS
    return [{ ...(session.data as unknown as SessionView), host, hostState, stale }]
  })
  const here = own.map((view): FleetSession => ({ ...view, host: self, hostState: 'here' }))
  const all = [...here, ...told].sort(inOrder)
  const count = (name: string) => all.filter(({ host }) => host === name).length
  return {
    hosts: [
      { host: self, state: 'here', heardAt: now, self: true, version: VERSION, sessions: here.length },
      ...others
        .map(({ host, at, about }) => ({
          host,
          state: states.get(host) ?? 'silent',
          heardAt: at,
          self: false,
          version: typeof about.version === 'string' ? about.version.slice(0, 40) : '',
          sessions: count(host),
        }))
        .sort((a, b) => a.host.localeCompare(b.host)),
    ],
    sessions: all,
    problem: null,
  }
}

/** Anybody with write access to the bucket may have written this, so required fields are checked. */
const viewSchema = z.looseObject({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  agent: z.string(),
  phase: z.enum(PHASES),
  detail: z.string().optional(),
  denials: z.number().optional(),
  denied: z
    .looseObject({
      by: z.string().optional(),
      tool: z.string().optional(),
      line: z.string().optional(),
      reason: z.string().optional(),
    })
    .optional(),
  attention: z.array(z.looseObject({ kind: z.string(), reason: z.string() })),
  openTools: z.array(z.looseObject({ name: z.string() })),
  background: z.array(z.looseObject({ id: z.string() })),
  children: z.array(z.looseObject({ agentId: z.string() })),
  needsYou: z.boolean(),
  turn: z.looseObject({ open: z.boolean() }),
  usage: z.looseObject({ contextPct: z.number().optional(), costUsd: z.number().optional() }),
  lastActivity: z.number(),
  lastPrompt: z.string().optional(),
})
