/**
 * A tree as instructions of a nondeterministic automaton. What a look-around asks is a program of its own: it is run over
 * the whole text beforehand and leaves one bit for every place, which the program around it reads. So a look-around costs
 * one more pass, never a nested one.
 */
import { type CharSet, startsOf } from './char-set.ts'
import { type Assertion, type Node, PatternError } from './parse.ts'

export const Op = { Char: 0, Split: 1, Assert: 2, Look: 3, Match: 4 } as const

/** What an assertion asks of the places behind and ahead, in the direction of the run. */
export const Ask = {
  BehindEdge: 0,
  AheadEdge: 1,
  BehindLine: 2,
  AheadLine: 3,
  WordEdge: 4,
  NoWordEdge: 5,
} as const

export interface Instruction {
  readonly op: number
  /** `Char`: the index of its set. `Assert`: an `Ask`. `Look`: which of the program's own looks. */
  readonly arg: number
  readonly negative: boolean
  next: number
  /** `Split`: the other way. */
  other: number
}

export interface Program {
  readonly code: readonly Instruction[]
  readonly start: number
  /** From the end of the text to its beginning: for what is looked for ahead. */
  readonly backward: boolean
  /** Matches begin at the edge of the text alone. */
  readonly anchored: boolean
  /** The looks that its instructions read, by their place in `Compiled.looks`. */
  readonly looks: readonly number[]
  readonly needsEdge: boolean
  readonly needsWord: boolean
  readonly needsLine: boolean
}

export interface Compiled {
  readonly main: Program
  /** Each after those that it reads itself. */
  readonly looks: readonly Program[]
  readonly sets: readonly CharSet[]
}

const MAX_INSTRUCTIONS = 4_000 // `(.{0,99}){40}` is written in a moment
const MAX_TABLE = 250_000 // sets of characters, times characters that they tell apart: made in some milliseconds
const MAX_LOOKS = 8 // each is one more pass over the text

export function compile(tree: Node): Compiled {
  const sets: CharSet[] = []
  const setIndex = new Map<string, number>()
  const looks: Program[] = []
  let size = 0
  const main = program(tree, false)
  if (sets.length * startsOf(sets).length > MAX_TABLE)
    throw new PatternError('it has too many different classes of characters; write two')
  return { main, looks, sets }

  function program(tree: Node, backward: boolean): Program {
    const code: Instruction[] = []
    const own: number[] = []
    const asks = new Set<number>()
    const end = add(Op.Match, 0, -1)
    const start = emit(tree, end)
    const has = (...these: number[]) => these.some((ask) => asks.has(ask))
    return {
      code,
      start,
      backward,
      anchored: isAnchored(tree, backward ? 'end' : 'start'),
      looks: own,
      needsEdge: has(Ask.BehindEdge, Ask.BehindLine),
      needsWord: has(Ask.WordEdge, Ask.NoWordEdge),
      needsLine: has(Ask.BehindLine, Ask.AheadLine),
    }

    function add(op: number, arg: number, next: number, other = -1, negative = false): number {
      size += 1
      if (size > MAX_INSTRUCTIONS)
        throw new PatternError(`it is too large (over ${MAX_INSTRUCTIONS} steps); repeat less, or write two`)
      code.push({ op, arg, next, other, negative })
      return code.length - 1
    }

    /** Instructions are made from the end: each knows where it leads. Gives the place to enter at. */
    function emit(node: Node, next: number): number {
      switch (node.op) {
        case 'set':
          return add(Op.Char, indexOf(node.set), next)
        case 'cat': {
          const parts = backward ? node.parts : node.parts.toReversed()
          return parts.reduce((then, part) => emit(part, then), next)
        }
        case 'alt':
          return node.options
            .map((option) => emit(option, next))
            .reduce((all, option) => add(Op.Split, 0, all, option))
        case 'repeat':
          return repeat(node, next)
        case 'assert': {
          const ask = askOf(node.what, backward)
          asks.add(ask)
          return add(Op.Assert, ask, next)
        }
        case 'look': {
          if (looks.length >= MAX_LOOKS) throw new PatternError(`it has more than ${MAX_LOOKS} look-arounds`)
          const program = look(node.body, node.ahead)
          own.push(program)
          return add(Op.Look, own.length - 1, next, -1, node.negative)
        }
      }
    }

    function repeat({ node, min, max }: Extract<Node, { op: 'repeat' }>, next: number): number {
      // A look-around consumes nothing: once is as often as it can be asked.
      const [least, most] = node.op === 'look' ? [Math.min(min, 1), Math.min(max, 1)] : [min, max]
      let entry = next
      if (most === Number.POSITIVE_INFINITY) {
        const loop = add(Op.Split, 0, next)
        const split = code[loop]
        if (split) split.other = emit(node, loop)
        entry = loop
      } else {
        for (let i = least; i < most; i++) entry = add(Op.Split, 0, next, emit(node, entry))
      }
      // What needs no step is the same however often: `(?:){4294967294}` would be counted out for minutes.
      for (let i = 0, made = -1; i < least && made !== size; i++) {
        made = size
        entry = emit(node, entry)
      }
      return entry
    }
  }

  function look(body: Node, ahead: boolean): number {
    const made = program(body, ahead)
    looks.push(made)
    return looks.length - 1
  }

  function indexOf(set: CharSet): number {
    const key = set.join()
    const known = setIndex.get(key)
    if (known !== undefined) return known
    setIndex.set(key, sets.length)
    sets.push(set)
    return sets.length - 1
  }
}

/** Seen from the end, `^` asks what is ahead. */
function askOf(what: Assertion, backward: boolean): number {
  switch (what) {
    case 'start':
      return backward ? Ask.AheadEdge : Ask.BehindEdge
    case 'end':
      return backward ? Ask.BehindEdge : Ask.AheadEdge
    case 'line-start':
      return backward ? Ask.AheadLine : Ask.BehindLine
    case 'line-end':
      return backward ? Ask.BehindLine : Ask.AheadLine
    case 'word-edge':
      return Ask.WordEdge
    case 'no-word-edge':
      return Ask.NoWordEdge
  }
}

function isAnchored(node: Node, edge: 'start' | 'end'): boolean {
  switch (node.op) {
    case 'assert':
      return node.what === edge
    case 'cat': {
      const first = edge === 'start' ? node.parts[0] : node.parts.at(-1)
      return first !== undefined && isAnchored(first, edge)
    }
    case 'alt':
      return node.options.every((option) => isAnchored(option, edge))
    case 'repeat':
      return node.min > 0 && isAnchored(node.node, edge)
    default:
      return false
  }
}
