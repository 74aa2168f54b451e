/** Texts of which a match must contain one: `git push .*--force` needs "git push ". Most commands have none of them. */
import type { Node } from './parse.ts'

const MAX_TEXTS = 8 // looking for more takes as long as matching

/** None when nothing certain can be said. */
export function requiredTexts(tree: Node): readonly string[] {
  const exact = exactText(tree)
  if (exact !== undefined) return exact === '' ? [] : [exact]
  switch (tree.op) {
    case 'cat':
      return best(runsOf(tree.parts))
    case 'alt': {
      const all = tree.options.map(requiredTexts)
      const texts = [...new Set(all.flat())]
      return all.some((option) => option.length === 0) || texts.length > MAX_TEXTS ? [] : texts
    }
    case 'repeat':
      return tree.min > 0 ? requiredTexts(tree.node) : []
    default:
      return []
  }
}

/** What each part needs; neighbours that are plain text are one. */
function runsOf(parts: readonly Node[]): (readonly string[])[] {
  const needs: (readonly string[])[] = []
  let run = ''
  for (const part of parts) {
    const text = exactText(part)
    if (text !== undefined) {
      run += text
      continue
    }
    needs.push([run], requiredTexts(part))
    run = ''
  }
  return [...needs, [run]]
}

/** The longest that may be missing tells the most. */
function best(needs: readonly (readonly string[])[]): readonly string[] {
  let found: readonly string[] = []
  let longest = 0
  for (const texts of needs) {
    const shortest = Math.min(...texts.map((text) => text.length))
    if (texts.length === 0 || shortest <= longest) continue
    found = texts
    longest = shortest
  }
  return found
}

/** The one text that the node matches, if there is just one. An assertion is none: it may fail. */
export function exactText(node: Node): string | undefined {
  switch (node.op) {
    case 'set':
      return node.set.length === 2 && node.set[0] === node.set[1]
        ? String.fromCharCode(node.set[0] ?? 0)
        : undefined
    case 'cat': {
      const texts = node.parts.map(exactText)
      return texts.includes(undefined) ? undefined : texts.join('')
    }
    default:
      return undefined
  }
}
