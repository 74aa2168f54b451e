/** The environment in an agent's last hooks, to find its folders. */
import type { ClientFacts } from '../../events/index.ts'
import type { Store } from '../../store/index.ts'
import type { Session } from '../state/index.ts'

const LAST_ROWS = 20 // what observers raise bears no environment

export function lastEnv({ id, agent }: Session, store: Pick<Store, 'lastClients'>): ClientFacts['env'] {
  for (const rows of [1, LAST_ROWS])
    for (const { env } of store.lastClients(agent, id, rows)) for (const _ in env) return env
  return {}
}
