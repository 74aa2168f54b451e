/**
 * `gantry run`: supervises an agent in its terminal. The agent has the terminal for itself. When its effort is
 * dehydrated or its context is full, it is ended and a fresh one continues.
 */
export type { Ended } from './agent-process.ts'
export { type FreshCommand, freshCommand, RESTARTED_AGENTS } from './fresh-command.ts'
export { MAX_RESTARTS, RESTART_SPAN_MS } from './restart-limit.ts'
export { type Supervised, supervise } from './supervise.ts'
