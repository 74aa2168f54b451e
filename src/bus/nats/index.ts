/**
 * The connection to NATS: which server, gantry's own server, the connection, and their problems. Loads the NATS
 * packages only if a plan needs them.
 */

export { type LeafPlan, leafPlan, passwordOf } from './leaf.ts'
export type { Connection, Endpoint, OnConnection } from './link.ts'
export { type NatsPlan, natsPlan, type PublishForm } from './options.ts'
export {
  type BusLog,
  type BusProblem,
  isDenied,
  isDisconnect,
  isHopeless,
  isRefusal,
  isSilence,
  isUnattended,
  streamProblem,
} from './problem.ts'
export { lastAddress } from './server-config.ts'
