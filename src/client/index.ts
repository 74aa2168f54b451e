/**
 * How everyone but the daemon reaches the daemon, and what travels between them. The hook client has doors of its
 * own, `hook.ts` and `wire.ts`: it is started under every tool call and must load nothing else.
 */
export { call, subscribe } from './connection.ts'
export type { Envelope, EventQuery, Finding, SessionView, Status, WireEvent } from './protocol.ts'
