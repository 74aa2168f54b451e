/**
 * Runs a program as a deterministic automaton that is built as far as a text needs it: a known step is one look into a
 * table. States that are not known yet cost work in proportion to the program; all work is counted, and when the budget is
 * used up there is no answer. A pattern can therefore be slow to no end, but never hold anybody up.
 */
import { type CharSet, has, LINE_END, startsOf, WORD } from './char-set.ts'
import { Ask, type Instruction, Op, type Program } from './program.ts'

/** How much may still be done, in steps of one known character. */
export interface Budget {
  left: number
}

/** One bit for every place in a text, those before and after all characters among them. */
type Bits = Uint8Array

interface State {
  /** Where the automaton is, before what needs no character; ascending. */
  readonly places: readonly number[]
  readonly behind: number
  /** A match ended right before the character that led here. */
  readonly hit: boolean
  /** By the class of the next character and the bits of the looks there. */
  readonly next: (State | undefined)[]
}

const EDGE = 1
const WORDS = 2
const LINES = 4

const STEP_COST = 4 // following one instruction takes as long as so many known characters; measured
const LOOK_COST = 3 // a known character in a pass for a look-around, or in one that reads it; measured
const MAX_CELLS = 24_000 // of all states of one program: some 300 KB; then the rest of a text is walked without them
const CELLS_PER_STATE = 24

/** Characters that no set of the pattern tells apart are one. */
export class Alphabet {
  readonly size: number
  /** The class of each of the first characters, for loops that cannot wait. */
  readonly latin = new Uint16Array(256)
  readonly #bounds: readonly number[]
  readonly #kinds: number[]
  /** By set and class: 1 where its characters are in the set. */
  readonly members: readonly Uint8Array[]

  constructor(sets: readonly CharSet[], words: boolean, lines: boolean) {
    const asked = [...sets, ...(words ? [WORD] : []), ...(lines ? [LINE_END] : [])]
    const starts = startsOf(asked)
    // Pieces that are in the same sets are one class: each set splits those that are partly in it.
    const pieces = new Int32Array(starts.length)
    let made = 1
    for (const set of asked) {
      const split = new Map<number, number>()
      for (const piece of piecesOf(set, starts)) {
        const before = pieces[piece] ?? 0
        const now = split.get(before) ?? made++
        split.set(before, now)
        pieces[piece] = now
      }
    }
    const firsts: number[] = []
    const classes = new Map<number, number>()
    for (const [piece, start] of starts.entries()) {
      const key = pieces[piece] ?? 0
      if (!classes.has(key)) classes.set(key, firsts.push(start) - 1)
      pieces[piece] = classes.get(key) ?? 0
    }
    this.size = firsts.length
    this.#bounds = starts
    this.#pieces = pieces
    this.#kinds = firsts.map(
      (code) => (words && has(WORD, code) ? WORDS : 0) | (lines && has(LINE_END, code) ? LINES : 0),
    )
    this.members = sets.map((set) => {
      const row = new Uint8Array(firsts.length)
      for (const piece of piecesOf(set, starts)) row[pieces[piece] ?? 0] = 1
      return row
    })
    for (let code = 0; code < 256; code++) this.latin[code] = this.#find(code)
  }

  readonly #pieces: Int32Array

  classOf(code: number): number {
    return code < 256 ? (this.latin[code] ?? 0) : this.#find(code)
  }

  /** What assertions want to know of a character; the class after the last is the edge of the text. */
  kind(cls: number): number {
    return this.#kinds[cls] ?? EDGE
  }

  #find(code: number): number {
    let low = 0
    let high = this.#bounds.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#bounds[middle] ?? 0) <= code) low = middle
      else high = middle - 1
    }
    return this.#pieces[low] ?? 0
  }
}

/** The pieces that a set consists of; both are in order. */
function* piecesOf(set: CharSet, starts: readonly number[]): Generator<number> {
  let piece = 0
  for (let i = 0; i < set.length; i += 2) {
    while ((starts[piece] ?? 0) < (set[i] ?? 0)) piece += 1
    for (; piece < starts.length && (starts[piece] ?? 0) <= (set[i + 1] ?? 0); piece++) yield piece
  }
}

export class Automaton {
  readonly #program: Program
  readonly #alphabet: Alphabet
  readonly #states = new Map<string, State>()
  readonly #mask: number
  #cells = 0
  /** The last step: places entered, those among them that were met before, and whether it was a match. */
  #reached: Int32Array
  #spare: Int32Array
  #count = 0
  #hit = false
  readonly #stack: Int32Array
  readonly #met: Int32Array
  readonly #entered: Int32Array
  #turn = 0

  constructor(program: Program, alphabet: Alphabet) {
    this.#program = program
    this.#alphabet = alphabet
    const size = program.code.length
    this.#reached = new Int32Array(size)
    this.#spare = new Int32Array(size)
    this.#stack = new Int32Array(3 * size) // all places, and two for each split
    this.#met = new Int32Array(size)
    this.#entered = new Int32Array(size)
    this.#mask =
      (program.needsEdge ? EDGE : 0) | (program.needsWord ? WORDS : 0) | (program.needsLine ? LINES : 0)
  }

  /** Whether there is a match anywhere; undefined when the budget did not last. */
  test(text: string, looks: readonly Bits[], budget: Budget): boolean | undefined {
    return this.#run(text, looks, budget, undefined)
  }

  /** At which places a match ends (begins, if the program runs backward); undefined when the budget did not last. */
  mark(text: string, looks: readonly Bits[], budget: Budget): Bits | undefined {
    const bits = new Uint8Array(text.length + 1)
    return this.#run(text, looks, budget, bits) === undefined ? undefined : bits
  }

  #run(text: string, looks: readonly Bits[], budget: Budget, marks: Bits | undefined): boolean | undefined {
    const { backward, looks: own } = this.#program
    const { length } = text
    const { latin, size } = this.#alphabet
    const read = own.map((look) => looks[look] as Bits)
    const isPlain = read.length === 0 && !marks && !backward
    budget.left -= length * (isPlain ? 1 : LOOK_COST)
    if (budget.left < 0) return undefined
    let state: State | undefined = this.#state([this.#program.start], EDGE, false)
    let behind = EDGE
    for (let done = 0; done <= length; done++) {
      if (isPlain && state) {
        const { at, from } = walk(state, text, done, latin)
        if (from.hit) return true
        state = from
        done = at
      }
      const place = backward ? length - done : done
      const code = text.charCodeAt(backward ? place - 1 : place)
      let symbol = done === length ? size : (latin[code] ?? this.#alphabet.classOf(code))
      for (let i = 0; i < read.length; i++) if (read[i]?.[place]) symbol += (size + 1) << i
      const known: State | undefined = state?.next[symbol]
      if (known) state = known
      else {
        budget.left -= this.#step(state, behind, symbol)
        if (budget.left < 0) return undefined
        behind = this.#alphabet.kind(symbol % (size + 1)) & this.#mask
        if (state) state = this.#keep(state, symbol, behind)
      }
      if (state ? state.hit : this.#hit) {
        if (!marks) return true
        marks[place] = 1
      }
      if ((state ? state.places.length : this.#count) === 0 && !marks) return false
    }
    return false
  }

  /** One character on from a state, or from where the last step led. Gives the work it was. */
  #step(state: State | undefined, behindNow: number, symbol: number): number {
    const { code, start, anchored } = this.#program
    const { members, size } = this.#alphabet
    const cls = symbol % (size + 1)
    const looks = Math.floor(symbol / (size + 1))
    const ahead = this.#alphabet.kind(cls)
    const behind = state ? state.behind : behindNow
    const stack = this.#stack
    const turn = ++this.#turn
    let top = 0
    if (state) for (const place of state.places) stack[top++] = place
    else for (let i = 0; i < this.#count; i++) stack[top++] = this.#reached[i] ?? 0
    const out = this.#spare
    let count = 0
    let work = 0
    this.#hit = false
    while (top > 0) {
      const at = stack[--top] ?? 0
      if (this.#met[at] === turn) continue
      this.#met[at] = turn
      work += 1
      const one = code[at] as Instruction
      switch (one.op) {
        case Op.Char:
          if (members[one.arg]?.[cls] && this.#entered[one.next] !== turn) {
            this.#entered[one.next] = turn
            out[count++] = one.next
          }
          break
        case Op.Split:
          stack[top++] = one.next
          stack[top++] = one.other
          break
        case Op.Assert:
          if (holds(one.arg, behind, ahead)) stack[top++] = one.next
          break
        case Op.Look:
          if (((looks >> one.arg) & 1) === (one.negative ? 0 : 1)) stack[top++] = one.next
          break
        default:
          this.#hit = true
      }
    }
    if (!anchored && cls !== size && this.#entered[start] !== turn) out[count++] = start
    this.#spare = this.#reached
    this.#reached = out
    this.#count = count
    return work * STEP_COST
  }

  /** The state that the last step led to; nothing once there are too many to be worth it for this text. */
  #keep(state: State, symbol: number, behind: number): State | undefined {
    if (this.#cells > MAX_CELLS) {
      this.#states.clear()
      this.#cells = 0
      return undefined
    }
    const places = Array.from(this.#reached.subarray(0, this.#count)).sort((a, b) => a - b)
    const next = this.#state(places, behind, this.#hit)
    this.#cells += Math.max(0, symbol + 1 - state.next.length)
    state.next[symbol] = next
    return next
  }

  #state(places: readonly number[], behind: number, hit: boolean): State {
    const key = String.fromCharCode((behind << 1) | (hit ? 1 : 0), ...places)
    const known = this.#states.get(key)
    if (known) return known
    this.#cells += CELLS_PER_STATE + places.length
    const state: State = { places, behind, hit, next: [] }
    this.#states.set(key, state)
    return state
  }
}

/** Follows known steps, nearly always to the end of the text; stops at an unknown step and at a match. */
function walk(
  start: State,
  text: string,
  place: number,
  latin: Uint16Array,
): { readonly at: number; readonly from: State } {
  let from = start
  let at = place
  for (const { length } = text; at < length; at++) {
    const next = from.next[latin[text.charCodeAt(at)] as number]
    if (next === undefined) break
    from = next
    if (next.hit) break
  }
  return { at, from }
}

function holds(ask: number, behind: number, ahead: number): boolean {
  switch (ask) {
    case Ask.BehindEdge:
      return (behind & EDGE) !== 0
    case Ask.AheadEdge:
      return (ahead & EDGE) !== 0
    case Ask.BehindLine:
      return (behind & (EDGE | LINES)) !== 0
    case Ask.AheadLine:
      return (ahead & (EDGE | LINES)) !== 0
    case Ask.WordEdge:
      return (behind & WORDS) !== (ahead & WORDS)
    default:
      return (behind & WORDS) === (ahead & WORDS)
  }
}
