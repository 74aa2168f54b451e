/** What a loop may change in the shell before its next turn: found in the syntax, as nobody knows how often it runs. */
import type { Changes, Scope } from './scope.ts'
import type * as syntax from './syntax.ts'

const SETS = /^(?:read|mapfile|readarray|printf|getopts|let|unset|export|declare|local|readonly|typeset)$/
const MOVES = /^(?:cd|pushd|popd|eval|source|\.)$/

/** Functions that are called in it are looked through, too. */
export function changesIn(node: syntax.SyntaxNode, scope: Scope): Changes {
  const changes: Changes = { names: new Set(), movesFolder: false }
  const seen = new Set<unknown>()
  const pending: unknown[] = [node]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    pending.push(...Object.values(next))
    const one = next as syntax.SyntaxNode
    if (one.type === 'Assignment') changes.names.add(one.name)
    if (one.type === 'ArithmeticWord') changes.names.add(one.value)
    if (one.type === 'For' || one.type === 'Select') changes.names.add(one.name.value)
    if (one.type === 'ParameterExpansion') changes.names.add(one.parameter) // ${x:=y}
    if (one.type !== 'Command') continue
    const name = one.name?.value ?? ''
    if (SETS.test(name)) for (const word of one.args) if (word.type === 'Word') changes.names.add(word.value)
    if (MOVES.test(name) || one.name?.parts) changes.movesFolder = true
    const called = scope.functionNamed(name)
    if (called) pending.push(called.body)
  }
  return changes
}
