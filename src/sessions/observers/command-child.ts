/**
 * Finds the process of an allowed command among the agent's children and grandchildren. If the agent passes the call id to
 * its commands, only that counts: bash replaces itself with the last part of `cd /tmp && sleep 9`, which then runs as
 * `sleep 9`. Otherwise the command line must contain the command.
 */
import { childrenOf, commandLineOf, environOf } from '../../core/processes/proc.ts'
import { startOf } from '../../core/processes/process-tree.ts'

export interface Wanted {
  /** The agent's pid. */
  readonly pid: number
  readonly call: string
  readonly command: string
  /** In process clock ticks: a process that started earlier is not the command. */
  readonly sinceTicks: number
  /** The variable in which the agent passes the call id. */
  readonly callVariable: string | undefined
}

/** `known` already answered other questions: the same command run twice has two processes. */
export function childRunning(
  { pid, call, command, sinceTicks, callVariable }: Wanted,
  known: ReadonlySet<number>,
): number | undefined {
  const isIt = (child: number) => {
    if (known.has(child) || Number(startOf(child) ?? 0) < sinceTicks) return false
    const named = callVariable === undefined ? undefined : variableOf(child, callVariable)
    return named === undefined ? holds(child, command) : named === call
  }
  for (const child of childrenOf(pid)) {
    if (known.has(child)) continue // its descendants have the same command line
    if (isIt(child)) return child
    for (const grandchild of childrenOf(child)) if (isIt(grandchild)) return grandchild
  }
  return undefined
}

function variableOf(pid: number, name: string): string | undefined {
  const variable = environOf(pid).find((one) => one.startsWith(`${name}=`))
  return variable?.slice(name.length + 1)
}

/** Claude wraps the command and escapes quotes, so its longest part without special characters is searched. */
function holds(pid: number, command: string): boolean {
  const piece = command.split(/['"\\\n]/).sort((a, b) => b.length - a.length)[0] ?? command
  return hasWhole(commandLineOf(pid).join(' '), piece.trim())
}

const IN_A_WORD = /[\w./-]/

/** Only whole words: `ls` must not match inside "tools". */
function hasWhole(line: string, piece: string): boolean {
  if (piece === '') return false
  for (let at = line.indexOf(piece); at >= 0; at = line.indexOf(piece, at + 1)) {
    const [before = '', after = ''] = [line[at - 1], line[at + piece.length]]
    if (!IN_A_WORD.test(before) && !IN_A_WORD.test(after)) return true
  }
  return false
}
