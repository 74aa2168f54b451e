/** What a shell remembers while a script runs: variables, functions, the folder, the positional parameters. */
import type { Word } from './command.ts'
import type * as syntax from './syntax.ts'
import { type Function as FunctionNode, forEachChild } from './syntax.ts'

/** A variable's value, or the values of an array. */
export type Value = Word | readonly Word[]

/** The value of a variable that was unset: empty, but `${x-d}` takes its default. */
export const UNSET: Word = { text: '', known: true }

/** What a part of a script may change. */
interface Changes {
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

/** What a loop may change in the shell before its next turn: found in the syntax, as nobody knows how often it runs. */
const SETS = /^(?:read|mapfile|readarray|printf|getopts|let|unset|export|declare|local|readonly|typeset)$/
const MOVES = /^(?:cd|pushd|popd|eval|source|\.)$/

/** Functions that are called in it are looked through, too. `spend` is told how many nodes were seen. */
export function changesIn(node: syntax.SyntaxNode, scope: Scope, spend: (steps: number) => void): Changes {
  const changes: Changes = { names: new Set(), movesFolder: false }
  const called = new Set<syntax.SyntaxNode>()
  let nodes = 0
  const visit = (one: syntax.SyntaxNode): void => {
    if (++nodes % 64 === 0) spend(8)
    if (one.type === 'Assignment') changes.names.add(one.name)
    if (one.type === 'ArithmeticWord') changes.names.add(one.value)
    if (one.type === 'For' || one.type === 'Select') changes.names.add(one.name.value)
    if (one.type === 'ParameterExpansion') changes.names.add(one.parameter) // ${x:=y}
    if (one.type === 'Command') {
      const name = one.name?.value ?? ''
      if (SETS.test(name))
        for (const word of one.args) if (word.type === 'Word') changes.names.add(word.value)
      if (MOVES.test(name) || one.name?.parts) changes.movesFolder = true
      const body = scope.functionNamed(name)?.body
      if (body && !called.has(body)) {
        called.add(body)
        visit(body)
      }
    }
    forEachChild(one, visit)
  }
  visit(node)
  return changes
}
