/** Budgets: caps on cost, tokens, tool calls and time. */

export { amount, wordOf } from './words.ts'
