/**
 * Messages as web requests, to whoever the configuration names: signed, tried again, given up with a letter; and the
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
  signatureOf,
  TIMESTAMP_HEADER,
} from './signature.ts'
export type { WebhookSpec } from './spec.ts'
export { Webhooks } from './webhooks.ts'
