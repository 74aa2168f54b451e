/** The fleet in the daemon: what other hosts see of the sessions here. */
import { hostname } from 'node:os'
import type { Log } from '../../core/log.ts'
import { Throttle } from '../../core/time/throttle.ts'
import { VERSION } from '../../core/version.ts'
import { newId } from '../../events/index.ts'
import type { Git } from '../../git/index.ts'
import type { Finding } from '../../rpc/index.ts'
import { type SessionTracker, viewWithLocation } from '../../sessions/index.ts'
import type { Change, Session } from '../../sessions/state/index.ts'
import type { Store } from '../../store/index.ts'
import { HostsBus } from '../index.ts'
import type { NatsConfig } from '../nats/config.ts'
import type { HostsParts } from './hosts.ts'

export interface HostsOptions {
  readonly store: Store
  readonly tracker: SessionTracker
  readonly git: Git
  readonly log: Log
  readonly config: () => { readonly nats: NatsConfig }
}

type SharedFiles = Pick<HostsParts, 'writes' | 'heardWrites'>

const VIEW_MAX_CHARS = 40_000

export function openHosts({
  store,
  tracker,
  git,
  log,
  config,
  ...files
}: HostsOptions & SharedFiles): HostsBus {
  return new HostsBus({
    ...files,
    settings: () => {
      const { fleet, host, replicas, hub, hub_domain } = config().nats
      return { mode: fleet, host: host || hostname(), replicas, hub: hub === '' ? undefined : hub_domain }
    },
    instance: instanceOf(store),
    about: () => ({ version: VERSION }),
    keys: () => living(tracker).map(({ key }) => key),
    view: (key) => {
      const session = tracker.sessions.get(key)
      return session && session.endedAt === undefined
        ? bounded(viewWithLocation(session, git, Date.now()))
        : undefined
    },
    log,
  })
}

const THROTTLE_MS = 5_000 // throttle: each is a message to the server and to every host that looks

/** Called after each commit; does nothing if sharing is off. */
export function hostsTeller(hosts: HostsBus): (changes: readonly Change[]) => void {
  const throttle = new Throttle(THROTTLE_MS, (key) => hosts.changed([key]))
  const isTold = ({ level, session }: Change) =>
    level === 'numbers' ? throttle.mayPass(session.key) : level !== 'none'
  return (changes) => {
    if (hosts.isSharing) hosts.changed(changes.filter(isTold).map(({ session }) => session.key))
  }
}

export function hostsFindings(hosts: HostsBus): Finding[] {
  return hosts.problems().map((problem) => ({ ...problem, about: 'fleet' }))
}

export function living(tracker: SessionTracker): Session[] {
  return [...tracker.sessions.all()].filter(({ endedAt }) => endedAt === undefined)
}

/** Drops long lists, which others rarely look at. */
function bounded(view: object): object {
  if (JSON.stringify(view).length <= VIEW_MAX_CHARS) return view
  return { ...view, openTools: [], background: [], children: [], todos: [], aliases: [] }
}

/** Generated once per database: a restart is the same host, a copied configuration is not. */
function instanceOf(store: Store): string {
  const known = store.outbox.state('fleet')
  if (known !== undefined) return known
  const made = newId()
  store.journal.commit(() => store.outbox.setState('fleet', made))
  return made
}
