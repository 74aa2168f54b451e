/**
 * Named calls with checked arguments, and the envelope of their answers. `calls/` defines them; this exports only their
 * types, because the definitions load schemas that neither the daemon's start nor a client needs.
 */
export type * from './calls/index.ts'
export { GUARDED_CALLS } from './guarded.gen.ts'
export {
  type Caller,
  type CallHandlers,
  EncodedAnswer,
  type Envelope,
  type HandlersOf,
  type RpcContext,
  RpcRegistry,
} from './rpc.ts'
