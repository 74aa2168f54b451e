/** The hub's JetStream, over the connection to this host's own server. Imports the NATS packages. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { Connection } from '../nats/index.ts'

export async function throughHub(connection: Connection, domain: string): Promise<Connection> {
  const { nc } = connection
  const jsm = await jetstreamManager(nc, { domain, checkAPI: false })
  return { ...connection, jsm, js: jetstream(nc, { domain }) }
}
