/** TODO door */

export { redact } from './redact.ts'
