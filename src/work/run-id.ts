/**
 * `GANTRY_RUN_ID`: the family that one `gantry run` starts, and which of them it is. So a fresh agent's id says whom it
 * takes the place of, and every hook carries it already.
 */
export function runIdOf(family: string, nth: number): string {
  return `${family}.${nth}`
}

/** An id of another make is a family of its own. */
export function familyOf(runId: string): string {
  return runId.replace(/\.\d+$/, '')
}
