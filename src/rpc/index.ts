/** Named calls with checked arguments, and the envelope of their answers. */

export {
  type Caller,
  defineRpc,
  EncodedAnswer,
  type Envelope,
  GUARDED_CALLS,
  type Rpc,
  type RpcContext,
  type RpcRegistry,
} from './rpc.ts'
