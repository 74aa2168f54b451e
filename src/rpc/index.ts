/**
 * Named calls with checked arguments, and the envelope of their answers. `calls/` defines each of them; from here come their
 * types alone, since the definitions load schemas that neither a start of the daemon nor a client needs.
 */
export type * from './calls/index.ts'
export {
  type Caller,
  type CallHandlers,
  EncodedAnswer,
  type Envelope,
  GUARDED_CALLS,
  type HandlersOf,
  type RpcContext,
  RpcRegistry,
} from './rpc.ts'
