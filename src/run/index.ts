/**
 * `gantry run`: supervises an agent in its terminal. The agent has the terminal for itself. When its effort is
 * dehydrated or its context is full, it is ended and a fresh one continues.
 */
export type { Ended } from './agent-process.ts'
export { RESTARTED_AGENTS } from './fresh-command.ts'
export { supervise } from './supervise.ts'
