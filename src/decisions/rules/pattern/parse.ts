/**
 * The text of a JavaScript pattern as a tree, with the leniencies that browsers keep for old pages: `a{`, `]`, `\8`. Only
 * called on what `new RegExp` takes, so nothing here complains of syntax, but for back references, which no automaton can
 * follow.
 */
import { type CharSet, DIGIT, folded, inverted, LINE_END, SPACE, single, union, WORD } from './char-set.ts'

export type Node =
  | { readonly op: 'set'; readonly set: CharSet }
  | { readonly op: 'cat'; readonly parts: readonly Node[] }
  | { readonly op: 'alt'; readonly options: readonly Node[] }
  | { readonly op: 'repeat'; readonly node: Node; readonly min: number; readonly max: number }
  | { readonly op: 'assert'; readonly what: Assertion }
  | { readonly op: 'look'; readonly ahead: boolean; readonly negative: boolean; readonly body: Node }

export type Assertion = 'start' | 'end' | 'line-start' | 'line-end' | 'word-edge' | 'no-word-edge'

/** The pattern is valid, but cannot be matched in linear time. */
export class PatternError extends Error {}

interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
}

const MAX_SOURCE_CHARS = 20_000 // five for each of the steps that a pattern may have
const MAX_DEPTH = 200 // of groups in groups: all who walk the tree call themselves
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y

const EMPTY: Node = { op: 'cat', parts: [] }
const [ANY, NO_DIGIT, NO_WORD, NO_SPACE, NO_LINE_END] = [[], DIGIT, WORD, SPACE, LINE_END].map(inverted) as [
  CharSet,
  CharSet,
  CharSet,
  CharSet,
  CharSet,
]
const CONTROL: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 }

/** Checked first: the runtime reports a pattern that is nested too deep merely as invalid. */
export function refuseHuge(source: string): void {
  if (source.length > MAX_SOURCE_CHARS)
    throw new PatternError(`it is too long (over ${MAX_SOURCE_CHARS} characters); write two`)
  if (depthOf(source) > MAX_DEPTH)
    throw new PatternError(`its groups are nested too deep (over ${MAX_DEPTH} levels); write two`)
}

export function parsePattern(source: string): Node {
  const { groups, hasNames } = countGroups(source)
  let at = 0
  return disjunction({ i: false, m: false, s: false })

  function disjunction(flags: Flags): Node {
    const options = [alternative(flags)]
    while (source[at] === '|') {
      at += 1
      options.push(alternative(flags))
    }
    return options.length === 1 ? (options[0] ?? EMPTY) : { op: 'alt', options }
  }

  function alternative(flags: Flags): Node {
    const parts: Node[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified(atom(flags)))
    return parts.length === 1 ? (parts[0] ?? EMPTY) : { op: 'cat', parts }
  }

  function quantified(node: Node): Node {
    QUANTIFIER.lastIndex = at
    const sign = QUANTIFIER.exec(source)
    if (!sign) return node
    at += sign[0].length
    const first = sign[0][0]
    if (first === '*') return { op: 'repeat', node, min: 0, max: Number.POSITIVE_INFINITY }
    if (first === '+') return { op: 'repeat', node, min: 1, max: Number.POSITIVE_INFINITY }
    if (first === '?') return { op: 'repeat', node, min: 0, max: 1 }
    const min = Number(sign[1])
    const max = sign[2] === undefined ? min : sign[3] ? Number(sign[3]) : Number.POSITIVE_INFINITY
    return { op: 'repeat', node, min, max }
  }

  function atom(flags: Flags): Node {
    const char = source[at] ?? ''
    at += 1
    switch (char) {
      case '^':
        return { op: 'assert', what: flags.m ? 'line-start' : 'start' }
      case '$':
        return { op: 'assert', what: flags.m ? 'line-end' : 'end' }
      case '.':
        return { op: 'set', set: flags.s ? ANY : NO_LINE_END }
      case '(':
        return group(flags)
      case '[':
        return { op: 'set', set: charClass(flags) }
      case '\\':
        return escapeSequence(flags)
      default:
        return letter(char.charCodeAt(0), flags)
    }
  }

  function group(flags: Flags): Node {
    const head = /^\?(?:(<?)([=!])|:|<[^>]*>|([ims]*)(?:-([ims]*))?:)/.exec(source.slice(at))
    if (head) at += head[0].length
    const [, behind, look, on = '', off = ''] = head ?? []
    const is = (flag: 'i' | 'm' | 's') => (flags[flag] || on.includes(flag)) && !off.includes(flag)
    const body = disjunction({ i: is('i'), m: is('m'), s: is('s') })
    at += 1 // the closing parenthesis
    return look ? { op: 'look', ahead: behind !== '<', negative: look === '!', body } : body
  }

  function escapeSequence(flags: Flags): Node {
    const char = source[at] ?? ''
    if (char === 'b' || char === 'B') {
      at += 1
      return { op: 'assert', what: char === 'b' ? 'word-edge' : 'no-word-edge' }
    }
    const number = /^[1-9]\d*/.exec(source.slice(at))?.[0]
    if ((number !== undefined && Number(number) <= groups) || (char === 'k' && hasNames))
      throw new PatternError(
        `"\\${number ?? 'k'}" repeats what a group matched, which cannot be matched in linear time; write the alternatives out`,
      )
    return asNode(escaped(false), flags)
  }

  /** A class as `\d`, or one character; `at` is behind the backslash. */
  function escaped(inClass: boolean): CharSet | number {
    const char = source[at] ?? ''
    at += 1
    switch (char) {
      case 'd':
        return DIGIT
      case 'D':
        return NO_DIGIT
      case 'w':
        return WORD
      case 'W':
        return NO_WORD
      case 's':
        return SPACE
      case 'S':
        return NO_SPACE
      case 'x':
        return hex(2) ?? 120
      case 'u':
        return hex(4) ?? 117
      case 'c':
        return control(inClass)
    }
    if (inClass && char === 'b') return 8
    if (/[0-7]/.test(char)) return octal()
    return CONTROL[char] ?? char.charCodeAt(0)
  }

  function hex(digits: number): number | undefined {
    const text = source.slice(at, at + digits)
    if (text.length < digits || !/^[0-9a-fA-F]+$/.test(text)) return undefined
    at += digits
    return Number.parseInt(text, 16)
  }

  function control(inClass: boolean): number {
    const letter = source[at] ?? ''
    if ((inClass ? /[A-Za-z0-9_]/ : /[A-Za-z]/).test(letter)) {
      at += 1
      return letter.charCodeAt(0) % 32
    }
    at -= 1 // the backslash stands for itself, and the c comes next
    return 92
  }

  function octal(): number {
    at -= 1
    const digits = /^(?:[0-3][0-7]{0,2}|[4-7][0-7]?)/.exec(source.slice(at))?.[0] ?? '0'
    at += digits.length
    return Number.parseInt(digits, 8)
  }

  function charClass(flags: Flags): CharSet {
    const negative = source[at] === '^'
    if (negative) at += 1
    const sets: CharSet[] = []
    while (source[at] !== ']') {
      const low = classAtom()
      if (source[at] !== '-' || source[at + 1] === ']') {
        sets.push(setOf(low))
        continue
      }
      at += 1
      const high = classAtom()
      // With a class at either end there is no range: `[a-\d]` has a hyphen in it.
      if (typeof low === 'number' && typeof high === 'number') sets.push([low, high])
      else sets.push(setOf(low), single(45), setOf(high))
    }
    at += 1
    const set = flags.i ? folded(union(sets)) : union(sets)
    return negative ? inverted(set) : set
  }

  function classAtom(): CharSet | number {
    const char = source[at] ?? ''
    at += 1
    return char === '\\' ? escaped(true) : char.charCodeAt(0)
  }
}

function asNode(what: CharSet | number, flags: Flags): Node {
  return typeof what === 'number' ? letter(what, flags) : { op: 'set', set: flags.i ? folded(what) : what }
}

function letter(code: number, flags: Flags): Node {
  return { op: 'set', set: flags.i ? folded(single(code)) : single(code) }
}

function setOf(what: CharSet | number): CharSet {
  return typeof what === 'number' ? single(what) : what
}

function depthOf(source: string): number {
  let [depth, deepest, inClass] = [0, 0, false]
  for (let at = 0; at < source.length; at++) {
    const char = source[at]
    if (char === '\\') at += 1
    else if (inClass) inClass = char !== ']'
    else if (char === '[') inClass = true
    else if (char === '(') deepest = Math.max(deepest, ++depth)
    else if (char === ')') depth -= 1
  }
  return deepest
}

/** A number is a back reference only if there are so many groups, before it or after. */
function countGroups(source: string): { readonly groups: number; readonly hasNames: boolean } {
  const bare = source.replace(/\\[\s\S]/g, '').replace(/\[[^\]]*\]/g, '')
  const names = bare.match(/\(\?<[^=!]/g)?.length ?? 0
  return { groups: names + (bare.match(/\((?!\?)/g)?.length ?? 0), hasNames: names > 0 }
}
