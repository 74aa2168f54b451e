/** What a script comes down to: the commands it would start, in the order in which they stand. */

/**
 * An argument. `known`: the text is its exact value. Otherwise it is the best reading: globs, `~` and expansions that nobody
 * can follow stand as in the source; a variable that is set in one branch only has the value of that branch.
 */
export interface Word {
  readonly text: string
  readonly known: boolean
  /** The text of the file it names: a process substitution, or a file that the script wrote before. */
  readonly output?: Word
}

export interface Assignment {
  readonly name: string
  readonly value: Word
}

export interface Redirect {
  readonly operator: '>' | '>>' | '>|' | '<' | '<>' | '&>' | '&>>' | '<<' | '<<<' | '>&' | '<&'
  readonly fd?: number
  /** A path, a descriptor, or the text itself of a heredoc or here string. */
  readonly target: Word
}

export interface Command {
  /** Variables, braces and quotes are followed. Empty for assignments or redirects alone: no program starts. */
  readonly argv: readonly Word[]
  /** The last part of argv[0]; '' where that is not known. */
  readonly program: string
  readonly assignments: readonly Assignment[]
  readonly redirects: readonly Redirect[]
  /** The text on its standard input, as far as a heredoc, a here string or `echo` in a pipe tells it. */
  readonly stdin?: Word
  /** Index in `commands` of the command that writes its standard input. */
  readonly pipedFrom?: number
  /** Index of the command it came out of: the wrapper, the call of the function, the command with the substitution. */
  readonly parent?: number
  /** `inline`: out of text that is code: `bash -c`, `eval`, `python -c`. `function`: out of a function of the same script. */
  readonly via: 'script' | 'substitution' | 'function' | 'wrapper' | 'inline'
  /** Code in another language that it was given. */
  readonly code?: { readonly language: string; readonly text: Word }
  /** On another machine or in a container: its paths are not those of this machine. */
  readonly isRemote: boolean
  /** The folder after `cd x &&`, `git -C x`, `env -C x`; absent where it is the folder of the start. */
  readonly cwd?: Word
  /** In the source of the outermost script. */
  readonly span: readonly [number, number]
}

export interface Script {
  readonly commands: readonly Command[]
  /** Whether `commands` is all that the script starts. A word that is not known does not change this. */
  readonly understood: boolean
  /** What stood in the way, for a person. */
  readonly why?: string
  /** It is too long, or has too much in it, to be followed to its end. */
  readonly isTooMuch?: boolean
}
