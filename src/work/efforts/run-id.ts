/**
 * `GANTRY_RUN_ID`: the family that one `gantry run` starts, and a number within it. So a restarted agent's id says whom
 * it replaces, and every hook already carries it.
 */
export function runIdOf(family: string, nth: number): string {
  return `${family}.${nth}`
}

/** An id in another format is a family of its own. */
export function familyOf(runId: string): string {
  return runId.replace(/\.\d+$/, '')
}
