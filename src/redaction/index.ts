/** Secrets in text, found and replaced before anything is stored or logged. */

export { redact } from './redact.ts'
