/** What a loop may change in the shell before its next turn: found in the syntax, as nobody knows how often it runs. */
import type { Changes, Scope } from './scope.ts'
import type * as syntax from './syntax.ts'
import { forEachChild } from './syntax.ts'

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
