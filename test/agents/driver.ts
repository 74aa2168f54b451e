/** How one release of an agent is set up and run. Everything else about it is the same for all of them. */
import type { Release } from './cache.ts'
import type { Dialect } from './mock/model.ts'

export interface Driver {
  readonly release: Release
  readonly dialect: Dialect
  /** Its files before gantry comes: path below HOME → contents. */
  files(place: Place): Readonly<Record<string, string>>
  /** Paths below HOME of what an install may touch: these must be as before after an uninstall. */
  readonly settings: readonly string[]
  env(place: Place): Readonly<Record<string, string>>
  /** The command line of one headless turn. */
  headless(prompt: string, options: RunOptions): string[]
  interactive(options: RunOptions): string[]
  /** The keys that end the program there. */
  readonly goodbye: readonly string[]
}

export interface Place {
  readonly home: string
  /** Base address of the model. */
  readonly model: string
}

export interface RunOptions {
  /** Tools need a permission, where they otherwise run freely. */
  readonly guarded?: boolean
  /** More arguments. */
  readonly args?: readonly string[]
}
