/** Finds and replaces secrets in text before it is stored or logged. */

export { redact } from './redact.ts'
