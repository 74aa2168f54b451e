import { constants, setPriority } from 'node:os'

/** Lowers the priority of a process that reads beside the daemon, so that hooks and agents come first. */
export function yieldToAgents(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // not permitted everywhere, and never required
  }
}
