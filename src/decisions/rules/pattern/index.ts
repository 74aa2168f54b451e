/**
 * Patterns of rules: JavaScript's syntax and meaning, look-arounds included, matched in linear time with all work counted.
 * The runtime's own engine goes back and tries again, so that one careless pattern and one long command can hold the only
 * thread for hours.
 *
 *   const pattern = compilePattern('git push .*--force(?!-with-lease)')
 *   pattern.test('git push --force', { left: 1_000_000 })   // true; undefined when the work was not done in time
 */
import { Alphabet, Automaton, type Budget } from './automaton.ts'
import { exactText, requiredTexts } from './literals.ts'
import { PatternError, parsePattern, refuseHuge } from './parse.ts'
import { type Compiled, compile } from './program.ts'

export { type Budget, PatternError }

interface Pattern {
  /** Whether the pattern matches anywhere in the text; undefined when the budget did not last. */
  test(text: string, budget: Budget): boolean | undefined
  /** Where the first match begins, and where the next match ends; nothing where there is none, or it took too much. */
  find(text: string, budget: Budget): readonly [from: number, to: number] | undefined
}

const SEARCH_SHARE = 16 // finding a text is so much cheaper than walking an automaton

/** Throws a SyntaxError for an invalid pattern, a PatternError if it is too large or cannot be matched in linear time. */
export function compilePattern(source: string): Pattern {
  refuseHuge(source)
  new RegExp(source)
  const tree = parsePattern(source)
  const compiled = compile(tree)
  const required = requiredTexts(tree)
  const isPlain = exactText(tree) !== undefined && required.length > 0
  let matcher: Matcher | undefined // most patterns are ruled out by their texts, for ever
  const test = (text: string, budget: Budget) => {
    if (required.length > 0) {
      budget.left -= Math.ceil((text.length * required.length) / SEARCH_SHARE)
      if (!required.some((part) => text.includes(part))) return false
      if (isPlain) return true
    }
    matcher ??= matcherOf(compiled)
    const bits = looksOf(matcher, text, budget)
    return bits && matcher.main.test(text, bits, budget)
  }
  return { test, find: (text, budget) => (test(text, budget) ? firstMatch(source, text, budget) : undefined) }
}

/** An automaton knows where matches end. Where they begin is where a look ahead for the pattern holds. */
function firstMatch(source: string, text: string, budget: Budget): readonly [number, number] | undefined {
  const ending = matcherOf(compile(parsePattern(source)))
  const looks = looksOf(ending, text, budget)
  const ends = looks && ending.main.mark(text, looks, budget)
  const starts = ends && startsOf(source, text, budget)
  if (!starts) return undefined
  const from = starts.indexOf(1)
  const to = ends.indexOf(1, from)
  return from < 0 || to < 0 ? undefined : [from, to]
}

function startsOf(source: string, text: string, budget: Budget): Uint8Array | undefined {
  try {
    return looksOf(matcherOf(compile(parsePattern(`(?=${source})`))), text, budget)?.at(-1)
  } catch (error) {
    if (error instanceof PatternError) return undefined // it has as many look-arounds as it may have
    throw error
  }
}

function looksOf({ looks }: Matcher, text: string, budget: Budget): Uint8Array[] | undefined {
  const bits: Uint8Array[] = []
  for (const look of looks) {
    const found = look.mark(text, bits, budget)
    if (!found) return undefined
    bits.push(found)
  }
  return bits
}

interface Matcher {
  readonly main: Automaton
  readonly looks: readonly Automaton[]
}

function matcherOf({ main, looks, sets }: Compiled): Matcher {
  const programs = [main, ...looks]
  const alphabet = new Alphabet(
    sets,
    programs.some((program) => program.needsWord),
    programs.some((program) => program.needsLine),
  )
  return { main: new Automaton(main, alphabet), looks: looks.map((look) => new Automaton(look, alphabet)) }
}
