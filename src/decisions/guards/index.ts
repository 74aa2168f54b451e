/** The built-in guards as a list, their modes at each preset, and their score on a corpus. Nothing of it is loaded while they are off. */

export type { Mode, Preset } from './config.ts'
export { modesOf } from './judge.ts'
export { GUARDS } from './pack/index.ts'
export { LABELS, type Score, scoreCorpus } from './score.ts'
