/**
 * The way to NATS: which server, gantry's own if it is that, the connection, and what can be wrong with them. Loads the
 * packages of NATS only once a plan needs them.
 */
export { NatsBus } from './bus.ts'
export type { Connection } from './link.ts'
export { type NatsPlan, natsPlan, type PublishForm } from './options.ts'
export {
  type BusLog,
  type BusProblem,
  isDenied,
  isDisconnect,
  isHopeless,
  isRefusal,
  streamProblem,
} from './problem.ts'
export type { OnConnection } from './run.ts'
export { lastAddress } from './server-config.ts'
export { type NatsStatus, type StreamStatus, streamProblems } from './status.ts'
