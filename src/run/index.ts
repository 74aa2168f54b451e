/**
 * `gantry run`: an agent under supervision in its terminal. The agent has the terminal for itself; when its effort is
 * written down or its context is full, it is ended and a fresh one goes on.
 */
export type { Ended } from './agent-process.ts'
export { type FreshCommand, freshCommand, RESTARTED_AGENTS } from './fresh-command.ts'
export { MAX_RESTARTS, RESTART_SPAN_MS } from './restart-limit.ts'
export { type Supervised, supervise } from './supervise.ts'
