/** Kilo Code sends what opencode sends. */
export { read } from '../opencode/read.ts'
