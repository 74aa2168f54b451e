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

export interface Pattern {
  /** Whether the pattern matches anywhere in the text; undefined when the budget did not last. */
  test(text: string, budget: Budget): boolean | undefined
}

const SEARCH_SHARE = 16 // finding a text is so much cheaper than walking an automaton

/** Throws a SyntaxError for what is no pattern, and a PatternError for one that is too large, or not for linear time. */
export function compilePattern(source: string): Pattern {
  refuseHuge(source)
  new RegExp(source)
  const tree = parsePattern(source)
  const compiled = compile(tree)
  const required = requiredTexts(tree)
  const isPlain = exactText(tree) !== undefined && required.length > 0
  let matcher: Matcher | undefined // most patterns are ruled out by their texts, for ever
  return {
    test(text, budget) {
      if (required.length > 0) {
        budget.left -= Math.ceil((text.length * required.length) / SEARCH_SHARE)
        if (!required.some((part) => text.includes(part))) return false
        if (isPlain) return true
      }
      matcher ??= matcherOf(compiled)
      const bits: Uint8Array[] = []
      for (const look of matcher.looks) {
        const found = look.mark(text, bits, budget)
        if (!found) return undefined
        bits.push(found)
      }
      return matcher.main.test(text, bits, budget)
    },
  }
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
