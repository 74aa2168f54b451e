/** Where a walk through a script is, and what came of a part of it. */
import type { Command, Word } from './command.ts'
import type { Scope, Value } from './scope.ts'

export const MAX_DEPTH = 8 // wrappers and scripts inside each other

export interface Context {
  readonly scope: Scope
  readonly via: Command['via']
  readonly parent?: number | undefined
  readonly isRemote: boolean
  readonly depth: number
  /** The functions that are running: one that calls itself is followed once. */
  readonly calls: readonly string[]
  /** How many loops around it are followed word by word. */
  readonly loops?: number
  /** What the variables were that the running function declares for itself. */
  readonly locals?: Map<string, Value | undefined>
  readonly stdin?: Word | undefined
  readonly pipedFrom?: number | undefined
  /** Set inside of text whose positions are not those of the outermost script. */
  readonly span?: readonly [number, number] | undefined
}

/** What became of a node: what it prints, its last command, and whether it surely succeeds. */
export interface Done {
  readonly output?: Word | undefined
  readonly index?: number | undefined
  readonly isSure?: boolean
}

/** Several commands read one input: which of them gets which part is not known. */
export function withShared(context: Context): Context {
  return context.stdin ? { ...context, stdin: { ...context.stdin, known: false } } : context
}
