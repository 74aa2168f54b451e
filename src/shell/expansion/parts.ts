/** The parts of a command besides its words: assignments, redirects, the text on its standard input. */
import type { Assignment, Redirect, Word } from '../command.ts'
import { isArray, type Value } from '../scope.ts'
import type * as syntax from '../syntax.ts'
import { type Expansion, expandHereDoc, expandText, expandWord } from './expand.ts'

/** `isArgument`: of `export`, where braces expand, and the last alternative stays. */
export function assignmentOf(
  node: syntax.Assignment,
  to: Expansion,
  isArgument = false,
): Assignment & { values: Value } {
  const { name } = node
  const before = node.append ? to.scope.get(name) : undefined
  if (node.value.type === 'ArrayValue') {
    const added = node.value.elements.flatMap((word) => expandWord(word, to))
    const list = before ? [...(isArray(before) ? before : [before]), ...added] : added
    const value = { text: list.map(({ text }) => text).join(' '), known: list.every(({ known }) => known) }
    const isIndexed = node.value.elements.some(({ text }) => text.startsWith('['))
    return {
      name,
      value,
      values: isIndexed || (node.append && !before) ? { text: `$${name}`, known: false } : list,
    }
  }
  const value = isArgument
    ? (expandWord(node.value, to).at(-1) ?? { text: '', known: true })
    : expandText(node.value, to)
  if (node.index) {
    expandText(node.index, to)
    return { name, value, values: { text: `$${name}`, known: false } }
  }
  if (!node.append) return { name, value, values: value }
  if (isArray(before)) {
    const [first, ...others] = before
    return { name, value, values: [both(first, value) ?? value, ...others] }
  }
  const sum = both(before, value) ?? { text: `$${name}${value.text}`, known: false }
  return { name, value: sum, values: sum }
}

export function redirectsOf(nodes: readonly syntax.Redirection[], to: Expansion): Redirect[] {
  return nodes.map((node) => {
    const fd = node.descriptor?.type === 'FileDescriptor' ? { fd: node.descriptor.value } : {}
    if (node.type === 'HereDoc') return { operator: '<<', ...fd, target: expandHereDoc(node, to) }
    const target = node.target ? expandText(node.target, to) : { text: '', known: false }
    if (node.type === 'HereString')
      return { operator: '<<<', ...fd, target: { ...target, text: `${target.text}\n` } }
    return { operator: node.operator, ...fd, target }
  })
}

export function both(left: Word | undefined, right: Word | undefined): Word | undefined {
  return left && right && { text: left.text + right.text, known: left.known && right.known }
}

export function redirectsInput(redirects: readonly Redirect[]): boolean {
  return redirects.some(({ operator, fd }) => operator.startsWith('<') && (fd ?? 0) === 0)
}

export function stdinOf(redirects: readonly Redirect[]): Word | undefined {
  const last = redirects.findLast(({ operator, fd }) => operator.startsWith('<') && (fd ?? 0) === 0)
  if (!last) return undefined
  return last.operator === '<<' || last.operator === '<<<' ? last.target : last.target.output
}
