import { constants, setPriority } from 'node:os'

/** For a process that reads beside the daemon: hooks and agents come first where the machine is busy. */
export function yieldToAgents(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // not everywhere allowed, and never needed
  }
}
