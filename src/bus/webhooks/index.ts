/**
 * Messages as web requests to the configured URLs: signed, retried, at last a dead letter; and the
 * signatures of requests that come in.
 */
export { shownUrl } from './request.ts'
export {
  checkSignature,
  SIGNATURE_HEADER,
  SIGNATURES,
  type SignatureCheck,
  type SignatureKind,
  sameText,
  signedHeaders,
} from './signature.ts'
export type { WebhookSpec } from './spec.ts'
export { Webhooks } from './webhooks.ts'
