/** Rules and guards on events of the past, beside the daemon: why an event was answered so, what a draft would do, what to propose. */

export { Draft } from './draft.ts'
export { replay } from './replay.ts'
export { suggest } from './suggest.ts'
export { answeredThen, storedEvent, why } from './why.ts'
