/** What the commands of a script do to files and hosts. */
import type { Command, Script } from './command.ts'

/** Where a script would run. Without `realpath`, symbolic links stay as they are. */
export interface Place {
  readonly cwd: string
  readonly home: string
  readonly worktree?: string
  realpath?(path: string): string
}

export interface FileEffect {
  /** Absolute, `~` and `..` and symbolic links resolved. Where it is not known: the best reading, globs as written. */
  readonly path: string
  /** The part of `path` that is certain: the path itself, the folder before a glob, or nothing. */
  readonly base?: string
  /** The word as the command has it. */
  readonly text: string
  readonly known: boolean
  readonly recursive: boolean
  readonly command: number
}

export interface NetworkEffect {
  readonly host?: string
  /** Whether it sends data away: an upload, a request body, a copy to a host. */
  readonly sends: boolean
  readonly command: number
}

export interface Effects {
  readonly understood: boolean
  readonly why?: string
  readonly commands: readonly Command[]
  readonly reads: readonly FileEffect[]
  readonly writes: readonly FileEffect[]
  readonly deletes: readonly FileEffect[]
  readonly network: readonly NetworkEffect[]
}

export function effectsOf(script: Script, _place: Place): Effects {
  return { ...script, reads: [], writes: [], deletes: [], network: [] }
}
