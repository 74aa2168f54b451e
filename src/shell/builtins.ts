/** What the shell's own commands change in the shell: variables, the folder, the positional parameters. */
import type { Command, Word } from './command.ts'
import { outputOf } from './languages/output.ts'
import { isArray, type Scope, UNSET } from './scope.ts'

/** Before the name of an alias among the variables. */
export const ALIAS = 'alias '

export function builtin(command: Command, scope: Scope, spend: (steps: number) => void): void {
  const words = command.argv.slice(1)
  switch (command.program) {
    case 'cd':
    case 'pushd':
      scope.cwd = folderAfter(words, scope.cwd)
      return
    case 'popd':
      scope.cwd = { text: '$OLDPWD', known: false }
      return
    case 'alias':
      for (const { text, known } of words) {
        const [, name, value] = /^([^\s=]+)=([\s\S]*)$/.exec(text) ?? []
        if (name !== undefined && value !== undefined) scope.set(ALIAS + name, { text: value, known })
      }
      return
    case 'hash': {
      const [option, path, ...named] = words
      if (option?.text === '-p' && path) for (const { text } of named) scope.set(ALIAS + text, path)
      return
    }
    case 'unset':
      for (const { text } of words) if (!text.startsWith('-')) scope.set(text, UNSET)
      return
    case 'set': {
      const at = words.findIndex(({ text }) => text === '--')
      if (at >= 0) scope.positional = words.slice(at + 1)
      else if (words[0] && !/^[-+]/.test(words[0].text)) scope.positional = words
      return
    }
    case 'shift':
      scope.positional = scope.positional && shifted(scope.positional, Number(words[0]?.text ?? 1))
      return
    case 'read':
      read(words, command, scope)
      return
    case 'printf': {
      if (words[0]?.text !== '-v' || !words[1]) return
      const text = outputOf({ ...command, argv: [command.argv[0] as Word, ...words.slice(2)] }, spend)
      scope.set(words[1].text, text ?? unknown(words[1].text))
      return
    }
    case 'export':
    case 'declare':
    case 'local':
    case 'readonly':
    case 'typeset': // what the syntax does not show as an assignment: export "X=y", export $X
      for (const { text, known } of words) {
        const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) ?? []
        if (name === undefined || value === undefined) continue
        if (words[0] && /^-\w*n/.test(words[0].text) && command.program !== 'export') {
          // Another name of a variable: its value, as it is now.
          const target = scope.get(value)
          if (target) scope.set(name, target)
          continue
        }
        if (isArray(scope.get(name))) continue
        scope.set(name, { text: value, known })
      }
      return
    case 'mapfile':
    case 'readarray':
      readLines(words, command.stdin, scope)
      return
    case 'getopts':
    case 'let':
      for (const { text } of words) if (/^[A-Za-z_]\w*$/.test(text)) scope.set(text, unknown(text))
  }
}

/** `mapfile -t a <<< x`: the lines of a text that is known. */
function readLines(words: readonly Word[], stdin: Word | undefined, scope: Scope): void {
  const name = words.at(-1)?.text ?? ''
  const isNamed = /^[A-Za-z_]\w*$/.test(name)
  const isPlain = words.slice(0, isNamed ? -1 : undefined).every(({ text }) => text === '-t')
  const to = isNamed ? name : 'MAPFILE'
  if (!stdin || !isPlain) scope.set(to, unknown(to))
  else
    scope.set(
      to,
      stdin.text
        .replace(/\n$/, '')
        .split('\n')
        .map((text) => ({ text, known: stdin.known && words.length > 1 })),
    )
}

function unknown(name: string): Word {
  return { text: `$${name}`, known: false }
}

function folderAfter(words: readonly Word[], from: Word | undefined): Word {
  const to = words.find(({ text }) => !/^-[LPe@]|^--$/.test(text))
  if (!to) return { text: '~', known: false }
  if (to.text === '-') return { text: '$OLDPWD', known: false }
  if (!from || /^[/~$]/.test(to.text)) return to
  return { text: `${from.text}/${to.text}`, known: from.known && to.known }
}

/** `read a b <<< 'x y'`, `IFS=, read -ra list <<< 'x,y'`: only the first line of a text that is known. */
function read(words: readonly Word[], { stdin, assignments }: Command, scope: Scope): void {
  const names: string[] = []
  let isPlain = true
  let list: string | undefined
  for (let i = 0; i < words.length; i++) {
    const text = words[i]?.text ?? ''
    if (/^-[a-zA-Z]*[adinNptu]$/.test(text)) {
      isPlain &&= !/[dnN]/.test(text)
      if (text.endsWith('a')) list = words[i + 1]?.text ?? ''
      i++
    } else if (!text.startsWith('-')) names.push(text)
  }
  if (names.length === 0 && list === undefined) names.push('REPLY')
  const line = stdin && isPlain ? stdin.text.split('\n')[0]?.trim() : undefined
  const own = assignments.find(({ name }) => name === 'IFS')?.value
  const set = own ?? scope.get('IFS')
  const separators = set === undefined ? undefined : isArray(set) ? undefined : set.text
  if (line === undefined || (set !== undefined && separators === undefined)) {
    for (const name of list === undefined ? names : [list]) scope.set(name, unknown(name))
    return
  }
  const known = stdin?.known === true
  const parts = splitAt(line, separators)
  if (list !== undefined) {
    scope.set(
      list,
      parts.map((text) => ({ text, known })),
    )
    return
  }
  if (separators !== undefined && !/^\s*$/.test(separators)) {
    for (const [i, name] of names.entries()) {
      const text = i === names.length - 1 ? parts.slice(i).join(separators[0]) : (parts[i] ?? '')
      scope.set(name, { text, known })
    }
    return
  }
  let rest = line
  for (const [i, name] of names.entries()) {
    const isLast = i === names.length - 1
    const value = isLast ? rest : (/^\S*/.exec(rest)?.[0] ?? '')
    rest = rest.slice(value.length).trimStart()
    scope.set(name, { text: value, known })
  }
}

function splitAt(line: string, separators = ' \t\n'): string[] {
  if (separators === '') return [line]
  if (/^\s*$/.test(separators)) return line.split(/\s+/)
  const parts = ['']
  for (const letter of line) {
    if (separators.includes(letter)) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts
}

/** A word that is not known may have been several, so what is left is not certain either. */
function shifted(words: readonly Word[], count: number): readonly Word[] {
  const unknown = words.slice(0, count).findLast(({ known }) => !known)
  const left = words.slice(count)
  if (unknown === undefined) return left
  return left.length === 0 ? [unknown] : left.map((word) => ({ ...word, known: false }))
}
