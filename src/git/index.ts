/** TODO door */

export { Git } from './git.ts'
