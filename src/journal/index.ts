/** TODO door */

export { ReadTurns } from './read-turns.ts'
