/** Words as bash expands them: braces, variables, substitutions, quotes, field splitting. Globs stay as they are. */
import type { Word } from '../command.ts'
import { isArray, type Scope, UNSET } from '../scope.ts'
import type * as syntax from '../syntax.ts'
import { parseSource } from '../syntax.ts'
import { arithmetic } from './arithmetic.ts'
import { braceAlternatives } from './braces.ts'
import { changedCase, removed, replaced } from './pattern.ts'

/** What an expansion needs of the walk around it. */
export interface Expansion {
  readonly scope: Scope
  /** Walks the script of a substitution; answers what it prints, as far as that is known. */
  substitute(script: syntax.ParsedScript | undefined, span: readonly [number, number]): Word | undefined
  /** Counts a step; throws where there are too many. */
  spend(steps?: number): void
  /** Where the word stands, if its own positions are those of another text. */
  readonly span?: readonly [number, number] | undefined
}

interface Piece {
  readonly text: string
  readonly known: boolean
  /** An unquoted value: blanks in it separate words. */
  readonly splits?: boolean
  /** Makes a word even if it is empty. */
  readonly quoted?: boolean
  /** `"$@"`: several words. */
  readonly fields?: readonly Word[]
  readonly output?: Word
}

const MAX_ALTERNATIVES = 256 // words out of one word with braces
const MAX_TEXT = 65_536 // characters of one value: `a=$a$a` doubles at every turn

/** The words that one word of the source becomes. */
export function expandWord(word: syntax.Word, to: Expansion): Word[] {
  if (!word.parts) return [literalWord(word)]
  if (word.parts.some(isBraces)) return expandBraces(word, to)
  const parts = word.parts.flatMap((part, i) =>
    isEndOfIfs(part, word.parts?.[i - 1], to.scope) ? [] : pieces(part, to, false),
  )
  return fields(isTilde(word) ? [{ text: '', known: false }, ...parts] : parts, to)
}

/** `cat$IFS$9/etc`: the parameter is there to end the name before it, and is empty. */
function isEndOfIfs(part: syntax.WordPart, before: syntax.WordPart | undefined, scope: Scope): boolean {
  const isIfs = before?.type === 'SimpleExpansion' && before.text === '$IFS'
  return isIfs && part.type === 'SimpleExpansion' && /^\$[\d@*]$/.test(part.text) && !scope.positional
}

function expandBraces(word: syntax.Word, to: Expansion): Word[] {
  const texts = braceTexts(word, to)
  if (!texts) return [{ text: word.text, known: false }]
  const inside: Expansion = { ...to, span: to.span ?? [word.pos, word.end] }
  return texts.flatMap((text): Word[] => {
    if (text === '') return []
    if (/^[\w./@%+=:,-]+$/.test(text)) return [{ text, known: true }]
    const alternative = wordOf(text, to)
    if (!alternative || alternative.parts?.some(isBraces)) return [{ text, known: false }]
    return expandWord(alternative, inside)
  })
}

/** Braces are expanded as text, before all else: `{$x,z}y` is `$xy zy`. */
function braceTexts(word: syntax.Word, to: Expansion): string[] | undefined {
  let texts = ['']
  for (const part of word.parts ?? []) {
    const alternatives = isBraces(part) ? braceAlternatives(part.text, MAX_ALTERNATIVES) : [part.text]
    const inner = alternatives?.flatMap((text) => {
      const nested = isBraces(part) && text.includes('{') ? wordOf(text, to) : undefined
      return nested?.parts?.some(isBraces) ? (braceTexts(nested, to) ?? [text]) : [text]
    })
    if (!inner || texts.length * inner.length > MAX_ALTERNATIVES) {
      if (word.text.includes(',')) to.spend(Number.POSITIVE_INFINITY) // a range of numbers hides nothing
      return undefined
    }
    texts = texts.flatMap((before) => inner.map((after) => before + after))
  }
  to.spend(texts.length >> 2)
  return texts
}

function isBraces({ type }: syntax.WordPart): boolean {
  return type === 'BraceExpansion'
}

function wordOf(text: string, to: Expansion): syntax.Word | undefined {
  to.spend(4 + (text.length >> 5)) // to parse takes that much longer than to walk
  const command = parseSource(`: ${text}`).commands[0]?.command
  const word = command?.type === 'Command' ? command.args[0] : undefined
  return word?.type === 'Word' ? word : undefined
}

/** A word that is not split: a value, the target of a redirect, the text of a heredoc. */
export function expandText(word: Pick<syntax.Word, 'text' | 'value' | 'parts'>, to: Expansion): Word {
  if (!word.parts) return literalWord(word)
  const parts = word.parts.flatMap((part) => pieces(part, to, true))
  const joined = joinPieces(parts, to.spend)
  const output = parts.length === 1 ? parts[0]?.output : undefined
  if (output) return { ...joined, output }
  return isTilde(word) ? { ...joined, known: false } : joined
}

/** The lines of a heredoc. Without parts they are as they stand. */
export function expandHereDoc(node: syntax.HereDoc, to: Expansion): Word {
  const { body } = node
  const isPlain = !body.parts || node.delimiter?.quoted
  const word = isPlain
    ? { text: body.text, known: true }
    : joinPieces(
        (body.parts ?? []).flatMap((part) => pieces(part, to, true)),
        to.spend,
      )
  return node.operator === '<<-' ? { ...word, text: word.text.replace(/^\t+/gm, '') } : word
}

function literalWord(word: Pick<syntax.Word, 'text' | 'value'>): Word {
  return { text: word.value, known: !isTilde(word) }
}

function isTilde({ text }: Pick<syntax.Word, 'text'>): boolean {
  return text.charCodeAt(0) === 0x7e
}

function pieces(part: syntax.WordPart, to: Expansion, inQuotes: boolean): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'AnsiCQuoted':
    case 'SingleQuoted':
      return [{ text: part.value, known: true, quoted: true }]
    case 'Glob':
    case 'ExtendedGlob':
      for (const inner of part.parts ?? []) pieces(inner, to, true)
      return [{ text: part.text, known: inQuotes, quoted: true }]
    case 'DoubleQuoted':
    case 'LocaleString': {
      const inner = part.parts.flatMap((one) => pieces(one, to, true))
      const isList = inner.some(({ fields }) => fields) // `"$@"` may be no word at all
      const quoted = inner.map((piece) => ({ ...piece, splits: false, quoted: piece.fields === undefined }))
      return isList ? quoted : [{ text: '', known: true, quoted: true }, ...quoted]
    }
    case 'SimpleExpansion':
      return [variable(part.text.slice(1), part.text, to.scope, inQuotes)]
    case 'ParameterExpansion':
      return [parameter(part, to, inQuotes)]
    case 'CommandExpansion': {
      const output = to.substitute(part.script, to.span ?? [part.pos, part.end])
      if (!output) return [{ text: part.text, known: false, quoted: true }]
      return [{ text: output.text.replace(/\n+$/, ''), known: output.known, splits: !inQuotes }]
    }
    case 'ArithmeticExpansion': {
      const value = arithmetic(part.expression, to)
      return [value === undefined ? { text: part.text, known: false, quoted: true } : exact(String(value))]
    }
    case 'ProcessSubstitution': {
      const output = to.substitute(part.script, to.span ?? [part.pos, part.end])
      return [{ text: part.text, known: false, quoted: true, ...(output && { output }) }]
    }
    case 'BraceExpansion': // where braces do not expand, e.g. in an assignment
      return [{ text: part.text, known: !part.parts, quoted: true }]
    default:
      return [{ text: (part as { text: string }).text, known: false, quoted: true }]
  }
}

function exact(text: string): Piece {
  return { text, known: true, quoted: true }
}

function variable(name: string, source: string, scope: Scope, inQuotes: boolean): Piece {
  const unknown = { text: source, known: false, quoted: true }
  if (name === '@' || name === '*') {
    if (!scope.positional) return unknown
    return { text: '', known: true, fields: joined(scope.positional, name === '*', inQuotes, scope) }
  }
  if (name === '#') return scope.positional ? lengthOf(scope.positional) : unknown
  const value = lookUp(name, scope)
  return value ? { ...value, splits: splits(value, inQuotes) } : unknown
}

/** A substitution that stands as in the source has blanks of its own. */
function splits({ text, known }: Word, inQuotes: boolean): boolean {
  return !inQuotes && (known || !/[$`]/.test(text))
}

/** The one value of a name: of an array its first, as bash takes it. */
export function lookUp(name: string, scope: Scope): Word | undefined {
  if (/^[1-9]\d*$/.test(name)) {
    if (!scope.positional) return undefined
    return at(scope.positional, Number(name) - 1)
  }
  const value = scope.get(name)
  if (isArray(value)) return value[0] ?? { text: '', known: true }
  return value ?? (name === 'IFS' ? { text: ' \t\n', known: true } : undefined)
}

function joined(words: readonly Word[], asOne: boolean, inQuotes: boolean, scope: Scope): readonly Word[] {
  if (!inQuotes) return words.flatMap((word) => splitValue({ ...word, splits: splits(word, false) }, scope))
  if (!asOne) return words
  return [{ text: words.map(({ text }) => text).join(' '), known: words.every(({ known }) => known) }]
}

function parameter(part: syntax.ParameterExpansionPart, to: Expansion, inQuotes: boolean): Piece {
  const { scope } = to
  const unknown: Piece = { text: part.text, known: false, quoted: true }
  const index = part.index ? expandText(part.index, to) : undefined
  const all = index ? index.text === '@' || index.text === '*' : false
  const isList = all || part.parameter === '@' || part.parameter === '*'
  const list = isList ? (all ? listOf(part.parameter, scope) : scope.positional) : undefined
  if (isList && !list) return unknown
  if (part.prefix === '#') {
    if (list) return lengthOf(list)
    const value = index ? elementOf(part.parameter, index, scope) : lookUp(part.parameter, scope)
    return value?.known ? exact(String(value.text.length)) : unknown
  }
  if (list) {
    if (part.prefix || part.operation) return unknown
    return {
      text: '',
      known: true,
      fields: joined(list, (index?.text ?? part.parameter) === '*', inQuotes, scope),
    }
  }
  let value = index ? elementOf(part.parameter, index, scope) : lookUp(part.parameter, scope)
  if (part.prefix === '!') value = value?.known ? lookUp(value.text, scope) : undefined
  const result = part.operation ? operated(part, part.operation, value, to) : value
  return result ? { ...result, splits: splits(result, inQuotes) } : unknown
}

function listOf(name: string, scope: Scope): readonly Word[] | undefined {
  const value = scope.get(name)
  return value && !isArray(value) ? [value] : value
}

function elementOf(name: string, index: Word, scope: Scope): Word | undefined {
  const list = listOf(name, scope)
  if (!list || !index.known || !/^-?\d+$/.test(index.text)) return undefined
  return at(list, Number(index.text))
}

/** A word before it that is not known may be none or many. */
function at(list: readonly Word[], index: number): Word {
  const word = list.at(index) ?? { text: '', known: true }
  const isCertain = list.slice(0, index < 0 ? undefined : index).every(({ known }) => known)
  return isCertain ? word : { ...word, known: false }
}

/** A value on its own as words. */
function splitValue(piece: Piece, scope: Scope): Word[] {
  return fields([piece], { scope, spend: () => {} })
}

function lengthOf(list: readonly Word[]): Piece {
  return { text: String(list.length), known: list.every(({ known }) => known), quoted: true }
}

/** `${name<operation>}`. Operands are expanded in any case: a substitution in them may run. */
function operated(
  part: syntax.ParameterExpansionPart,
  operation: syntax.ParameterOperation,
  value: Word | undefined,
  to: Expansion,
): Word | undefined {
  switch (operation.type) {
    case 'Default': {
      const operand = expandText(operation.operand, to)
      const { operator } = operation
      const isSet = value && value !== UNSET && !(operator.startsWith(':') && value.text === '')
      if (operator.endsWith('?')) return value
      if (operator.endsWith('+'))
        return value?.known ? (isSet ? operand : value) : { ...operand, known: false }
      const result = isSet ? value : { text: operand.text, known: operand.known && value?.known === true }
      if (operator.endsWith('=')) to.scope.set(part.parameter, result)
      return result
    }
    case 'Remove': {
      const operand = expandText(operation.operand, to)
      return bothKnown(value, operand, (text, pattern) => removed(text, pattern, operation.operator))
    }
    case 'Replace': {
      const pattern = expandText(operation.pattern, to)
      const replacement = expandText(operation.replacement, to)
      if (!replacement.known) return undefined
      return bothKnown(value, pattern, (text, glob) =>
        replaced(text, glob, replacement.text, operation.operator),
      )
    }
    case 'Slice': {
      const offset = wholeNumber(expandText(operation.offset, to))
      const length = operation.length && wholeNumber(expandText(operation.length, to))
      if (!value?.known || offset === undefined || (operation.length && length === undefined))
        return undefined
      const end =
        length === undefined
          ? undefined
          : length < 0
            ? length
            : (offset < 0 ? value.text.length + offset : offset) + length
      return { text: value.text.slice(offset, end), known: true }
    }
    case 'CaseModification':
      if (operation.operand) {
        expandText(operation.operand, to)
        return undefined
      }
      return value?.known ? { text: changedCase(value.text, operation.operator), known: true } : undefined
    case 'Transform': {
      const kind = operation.operand.text
      // As a prompt: its substitutions run.
      if (kind === 'P' && value && /\$\(|`/.test(value.text)) {
        to.spend(4 + (value.text.length >> 5))
        to.substitute(parseSource(`: "${value.text.replaceAll('"', '')}"`), to.span ?? [0, 0])
        return undefined
      }
      if (!value?.known) return undefined
      if (kind === 'E') return { text: escapesIn(value.text), known: true }
      if (kind === 'U' || kind === 'L' || kind === 'u')
        return { text: changedCase(value.text, kind === 'U' ? '^^' : kind === 'L' ? ',,' : '^'), known: true }
      return undefined
    }
    default:
      return undefined
  }
}

/** As `$'…'` reads them. */
function escapesIn(text: string): string {
  return text.replace(
    /\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3})|(.))/g,
    (_, hex?: string, octal?: string, letter?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      return letter === 'n' ? '\n' : letter === 't' ? '\t' : (letter ?? '')
    },
  )
}

function bothKnown(
  value: Word | undefined,
  operand: Word,
  make: (text: string, operand: string) => string | undefined,
): Word | undefined {
  if (!value?.known || !operand.known) return undefined
  const text = make(value.text, operand.text)
  return text === undefined ? undefined : { text, known: true }
}

function wholeNumber({ text, known }: Word): number | undefined {
  return known && /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : undefined
}

function joinPieces(list: readonly Piece[], spend: Expansion['spend']): Word {
  let text = ''
  let known = true
  for (const piece of list) {
    const inner = piece.fields ?? [piece]
    text += inner.map((one) => one.text).join(' ')
    known &&= inner.every((one) => one.known)
  }
  return bounded(text, known, spend)
}

function bounded(text: string, known: boolean, spend: Expansion['spend']): Word {
  if (text.length > 256) spend(text.length > MAX_TEXT ? Number.POSITIVE_INFINITY : text.length >> 8)
  return { text, known }
}

/** Field splitting: only unquoted values are split, and only a quoted word may be empty. */
function fields(sequence: readonly Piece[], { scope, spend }: Pick<Expansion, 'scope' | 'spend'>): Word[] {
  const only = sequence[0]
  if (sequence.length === 1 && only?.output)
    return [{ text: only.text, known: only.known, output: only.output }]
  const words: Word[] = []
  let current: { text: string; known: boolean } | undefined
  const end = () => {
    if (current) words.push(bounded(current.text, current.known, spend))
    current = undefined
  }
  const add = (text: string, known: boolean) => {
    if (!current) current = { text, known }
    else {
      current.text += text
      current.known &&= known
    }
  }
  for (const piece of sequence) {
    if (piece.fields) {
      spend(piece.fields.length)
      // An unknown piece may expand to nothing, and then its neighbours join.
      const areKnown = sequence.length === 1 || piece.fields.every(({ known }) => known)
      for (const [i, field] of piece.fields.entries()) {
        if (i > 0) end()
        add(field.text, field.known && areKnown)
      }
    } else if (!piece.splits) {
      if (piece.quoted || piece.text !== '' || !piece.known) add(piece.text, piece.known)
    } else {
      if (piece.text === '' && !piece.known) add('', false)
      const separators = lookUp('IFS', scope)
      const split = splitFields(piece.text, separators?.text ?? ' \t\n')
      for (const [i, field] of split.entries()) {
        if (i > 0) end()
        const isExact = piece.known && (separators?.known ?? true) && !/[*?[]/.test(field)
        if (field !== '') add(field, isExact)
      }
    }
  }
  end()
  return words
}

/** Empty strings at the ends say that the value begins or ends with a separator. */
function splitFields(text: string, separators: string): string[] {
  if (separators === ' \t\n') return text.split(/[ \t\n]+/)
  const found: string[] = []
  let start = 0
  for (let i = 0; i < text.length && separators !== ''; i++) {
    if (!separators.includes(text[i] ?? '')) continue
    if (i > start || i === 0) found.push(text.slice(start, i))
    start = i + 1
  }
  return [...found, text.slice(start)]
}
