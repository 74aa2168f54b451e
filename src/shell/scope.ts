/** What a shell remembers while a script runs: variables, functions, the folder, the positional parameters. */
import type { Word } from './command.ts'
import type { Function as FunctionNode } from './syntax.ts'

/** A variable's value, or the values of an array. */
export type Value = Word | readonly Word[]

/** The value of a variable that was unset: empty, but `${x-d}` takes its default. */
export const UNSET: Word = { text: '', known: true }

/** What a part of a script may change. */
export interface Changes {
  readonly names: Set<string>
  movesFolder: boolean
}

export class Scope {
  // Every command has a scope, and few set anything: a map is made by the first who does.
  #variables: Map<string, Value> | undefined
  #functions: Map<string, FunctionNode> | undefined
  cwd: Word | undefined
  /** Absent where nobody knows them. */
  positional: readonly Word[] | undefined

  constructor(readonly parent?: Scope) {
    this.cwd = parent?.cwd
    this.positional = parent?.positional
  }

  get(name: string): Value | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const value = scope.#variables?.get(name)
      if (value) return value
    }
    return undefined
  }

  set(name: string, value: Value): void {
    this.#variables ??= new Map()
    this.#variables.set(name, value)
  }

  /** After a function: its own variable is gone. */
  restore(name: string, value: Value | undefined): void {
    if (value) this.set(name, value)
    else this.#variables?.delete(name)
  }

  functionNamed(name: string): FunctionNode | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const found = scope.#functions?.get(name)
      if (found) return found
    }
    return undefined
  }

  define(name: string, body: FunctionNode): void {
    this.#functions ??= new Map()
    this.#functions.set(name, body)
  }

  /** Takes over what happened in a branch that may not have been taken. A name with two values has none that is known. */
  merge(branch: Scope): void {
    for (const [name, value] of branch.#variables ?? []) {
      const before = this.get(name)
      const isOther = before !== undefined && textOf(before) !== textOf(value)
      this.set(name, isOther ? { text: `$${name}`, known: false } : doubted(value))
    }
    for (const [name, body] of branch.#functions ?? []) this.define(name, body)
    if (branch.positional !== this.positional) this.positional = undefined
    if (branch.cwd && branch.cwd !== this.cwd) this.cwd = { ...branch.cwd, known: false }
  }

  /** A loop may have changed it before: its value is only the best reading. */
  doubt({ names, movesFolder }: Changes): void {
    for (const name of names) {
      const value = this.get(name)
      if (value) this.set(name, doubted(value))
    }
    if (movesFolder) this.cwd = { text: this.cwd?.text ?? '.', known: false }
  }
}

function doubted(value: Value): Value {
  return isArray(value) ? value.map((one) => ({ ...one, known: false })) : { ...value, known: false }
}

function textOf(value: Value): string {
  return isArray(value) ? value.map(({ text }) => text).join('\n') : value.text
}

export function isArray(value: Value | undefined): value is readonly Word[] {
  return Array.isArray(value)
}
