/** Budgets: caps on cost, tokens, tool calls and time. */

export { wordOf } from './words.ts'
