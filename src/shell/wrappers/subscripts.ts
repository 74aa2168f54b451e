/** Words that bash evaluates though they are quoted: subscripts of arrays, and callbacks of its own commands. */
import type { Command, Word } from '../command.ts'
import { optionValue, readOptions, valueNames } from '../options.ts'
import type { Child } from './child.ts'

/** They take the name of a variable, or a number, and evaluate what stands in its brackets. */
const EVALUATES =
  /^(?:test|\[|printf|let|read|unset|declare|typeset|local|export|readonly|mapfile|readarray|getopts|wait)$/
const HIDDEN = /\[[^\]]{0,400}(?:\$\(|`)/

/** A script that does what the evaluation of a text would do. */
export function evaluated(text: string): string {
  return `: "${text.replaceAll('"', '')}"`
}

export function isEvaluated(text: string): boolean {
  return HIDDEN.test(text)
}

export function commandsInSubscripts({ program, argv }: Command): Child[] {
  const words = argv.slice(1)
  const children: Child[] = []
  if (EVALUATES.test(program))
    for (const { text } of words)
      if (isEvaluated(text) && /^[A-Za-z_]\w*\[|^[\w+*-]*[A-Za-z_]\w*\[/.test(text))
        children.push({ script: { text: evaluated(text), known: false } })
  const callback = callbackOf(program, words)
  if (callback) children.push({ script: callback })
  return children
}

/** `mapfile -C command`, `compgen -C command`. */
function callbackOf(program: string, words: readonly Word[]): Word | undefined {
  if (/^(?:mapfile|readarray)$/.test(program)) return optionValue(readOptions(words, MAPFILE), 'C')
  return /^(?:compgen|complete)$/.test(program) ? optionValue(readOptions(words, COMPLETE), 'C') : undefined
}

const MAPFILE = valueNames('C c d n O s u')
const COMPLETE = valueNames('C A F G W P S X o')
