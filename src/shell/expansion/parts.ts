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
    const values = isIndexed ? byIndex(added) : list
    return { name, value, values: node.append && !before ? { text: `$${name}`, known: false } : values }
  }
  const value = isArgument
    ? (expandWord(node.value, to).at(-1) ?? { text: '', known: true })
    : expandText(node.value, to)
  if (node.index) {
    const index = expandText(node.index, to)
    const list = to.scope.get(name)
    return { name, value, values: withElement(isArray(list) ? list : list ? [list] : [], index, value) }
  }
  if (!node.append) return { name, value, values: value }
  if (isArray(before)) {
    const [first, ...others] = before
    return { name, value, values: [both(first, value) ?? value, ...others] }
  }
  const sum = both(before, value) ?? { text: `$${name}${value.text}`, known: false }
  return { name, value: sum, values: sum }
}

/** `a=([1]=x [0]=y)`: by their numbers; with names as keys, their order is the best reading. */
function byIndex(elements: readonly Word[]): Value {
  const found = elements.map(({ text, known }, i) => {
    const [, index = '', value = text] = /^\[([^\]]*)\]=([\s\S]*)$/.exec(text) ?? []
    const at = /^\d{1,4}$/.test(index) ? Number(index) : undefined
    return { at: at ?? i, word: { text: value, known: known && at !== undefined } }
  })
  return found.sort((a, b) => a.at - b.at).map(({ word }) => word)
}

/** `a[1]=x`. */
function withElement(list: readonly Word[], index: Word, value: Word): Value {
  const at = index.known && /^\d{1,4}$/.test(index.text) ? Number(index.text) : undefined
  if (at === undefined) return [...list, { ...value, known: false }]
  return at < list.length ? list.with(at, value) : [...list, value]
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
