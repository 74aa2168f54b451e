/** The hub in the daemon: from the configuration, and its problems for `gantry doctor`. */
import { hostname } from 'node:os'
import type { Log } from '../../core/log.ts'
import type { Finding } from '../../rpc/index.ts'
import type { NatsConfig } from '../nats/config.ts'
import { type LeafPlan, leafPlan } from '../nats/leaf.ts'
import { HubMember } from './member.ts'

interface HubOptions {
  readonly log: Log
  readonly config: () => { readonly nats: NatsConfig }
}

export function openHub({ log, config }: HubOptions): HubMember {
  return new HubMember({
    settings: () => {
      const leaf = leafOf(config().nats)
      const { hub: url, replicas } = config().nats
      return leaf && { domain: leaf.domain, hub: leaf.hub, url, replicas }
    },
    whyNot: async () => {
      const leaf = leafOf(config().nats)
      if (!leaf) return undefined
      const { tryHub } = await import('./try-hub.ts')
      return tryHub(leaf)
    },
    log,
  })
}

export function hubFindings(hub: HubMember): Finding[] {
  return hub.problems().map((problem) => ({ ...problem, about: 'fleet' }))
}

/** Undefined without a hub, and if the configuration of it is wrong, which NATS reports. */
function leafOf(nats: NatsConfig): LeafPlan | undefined {
  if (nats.hub === '') return undefined
  try {
    return leafPlan(nats, nats.host || hostname())
  } catch {
    return undefined
  }
}
