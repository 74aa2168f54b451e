/** Data derived from events that can be rebuilt: contexts, usage, summaries, payload schemas, the search index. */

export { isLearned, kindOf, MAX_LEARNED_BYTES } from './schema/source.ts'

export type { SearchCallParts } from './search/rpc.ts'
