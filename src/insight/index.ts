/** TODO door */

export { isLearned, kindOf, MAX_LEARNED_BYTES, payloadOf } from './schema/source.ts'
