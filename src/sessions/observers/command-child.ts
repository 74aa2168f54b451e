/**
 * The process of a command that an agent was allowed to run, among its children and grandchildren. Where the agent tells
 * its commands which call they belong to, that alone counts: bash replaces itself by the last part of `cd /tmp && sleep 9`,
 * which then runs as `sleep 9`. Otherwise it is the one whose command line has the command.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { commandLineOf, environOf } from '../../core/processes/proc.ts'
import { startOf } from '../../core/processes/process-tree.ts'

export interface Wanted {
  /** Of the agent. */
  readonly pid: number
  readonly call: string
  readonly command: string
  /** On the clock of processes: what began before it is not the command. */
  readonly sinceTicks: number
  /** The variable in which the agent names the call. */
  readonly callVariable: string | undefined
}

/** `known` have answered other questions: the same command, run twice, has two processes. */
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
    if (known.has(child)) continue // what runs below it has the same command line
    if (isIt(child)) return child
    for (const grandchild of childrenOf(child)) if (isIt(grandchild)) return grandchild
  }
  return undefined
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

function variableOf(pid: number, name: string): string | undefined {
  const variable = environOf(pid).find((one) => one.startsWith(`${name}=`))
  return variable?.slice(name.length + 1)
}

/** Claude wraps the command in its own, with quotes escaped; a plain piece of it is enough to know it by. */
function holds(pid: number, command: string): boolean {
  const piece = command.split(/['"\\\n]/).sort((a, b) => b.length - a.length)[0] ?? command
  return hasWhole(commandLineOf(pid).join(' '), piece.trim())
}

const IN_A_WORD = /[\w./-]/

/** Not as a part of another word: `ls` is no piece of "tools". */
function hasWhole(line: string, piece: string): boolean {
  if (piece === '') return false
  for (let at = line.indexOf(piece); at >= 0; at = line.indexOf(piece, at + 1)) {
    const [before = '', after = ''] = [line[at - 1], line[at + piece.length]]
    if (!IN_A_WORD.test(before) && !IN_A_WORD.test(after)) return true
  }
  return false
}
