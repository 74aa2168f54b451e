import { setPriority } from 'node:os'

const NICE = 5 // a third of the time that others get; with 10, a query starves beside a busy build

/** Lowers the priority of a process that reads beside the daemon, so that hooks and agents come first. */
export function yieldToAgents(): void {
  try {
    setPriority(NICE)
  } catch {
    // not permitted everywhere, and never required
  }
}
