/**
 * Who answers an approval. An agent must not approve what it asks for itself: neither its own process, nor anything it
 * started. That is seen in the processes above the caller, and in what agents put into the environment of their tools.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { AGENT_MARKS } from '../client/index.ts'
import { ancestorsOf, parentOf } from './process-tree.ts'

/** Why it counts as an agent's own; undefined for a person's. `agents`: processes of agents and what they are called. */
export function agentAround(pid: number, agents: ReadonlyMap<number, string>): string | undefined {
  for (const at of [pid, ...ancestorsOf(pid)]) {
    const name = agents.get(at)
    if (name !== undefined) return `it was started by ${name}, process ${at}`
    const mark = markOf(at)
    if (mark !== undefined) return `${mark} is set around it`
  }
  return undefined
}

/** `process 4711 on /dev/pts/3`, for whoever wants to know where an answer came from. */
export function placeOf(pid: number): string {
  try {
    const terminal = readlinkSync(`/proc/${pid}/fd/0`)
    if (terminal.startsWith('/dev/pts/') || terminal.startsWith('/dev/tty'))
      return `process ${pid} on ${terminal}`
  } catch {
    // it has gone, or there is no such folder here
  }
  return `process ${pid}`
}

export function isThere(pid: number): boolean {
  return parentOf(pid) >= 0
}

function markOf(pid: number): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    return AGENT_MARKS.find((mark) =>
      variables.some((one) => one.startsWith(`${mark}=`) && one.length > mark.length + 1),
    )
  } catch {
    return undefined // another user's, as a login shell's parents are
  }
}
