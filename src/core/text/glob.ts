/**
 * Whether a glob of `*`, `?` and `[…]` matches a whole name. Goes back one step at most: the last star takes one letter more.
 */
export function matchesGlob(glob: string, name: string): boolean {
  let at = 0
  let i = 0
  let star = -1
  let retry = 0
  while (i < name.length) {
    const letter = glob[at]
    const close = letter === '[' ? endOfSet(glob, at) : -1
    if (letter === '*') {
      star = at++
      retry = i
    } else if (close < 0 && (letter === '?' || letter === name[i])) {
      at++
      i++
    } else if (close >= 0 && isInSet(glob.slice(at + 1, close), name[i] ?? '')) {
      at = close + 1
      i++
    } else if (star >= 0) {
      at = star + 1
      i = ++retry
    } else return false
  }
  while (glob[at] === '*') at++
  return at === glob.length
}

/** A `]` at the start is a member, and `[:lower:]` is a class inside; -1 without an end. */
function endOfSet(glob: string, from: number): number {
  let at = from + 1
  if (/[!^]/.test(glob[at] ?? '')) at++
  if (glob[at] === ']') at++
  for (; at < glob.length; at++) {
    if (glob[at] === ']') return at
    const kind = glob[at] === '[' && /[:.=]/.test(glob[at + 1] ?? '') ? glob[at + 1] : undefined
    const end = kind === undefined ? -1 : glob.indexOf(`${kind}]`, at + 2)
    if (end >= 0) at = end + 1
  }
  return -1
}

function isInSet(text: string, letter: string): boolean {
  const isNot = /^[!^]/.test(text)
  return isNot !== isMember(isNot ? text.slice(1) : text, letter)
}

function isMember(given: string, letter: string): boolean {
  let isOfClass = false
  const set = given
    .replace(/\[:(\w*):\]/g, (_, name: string) => {
      isOfClass ||= (CLASSES[name] ?? /./s).test(letter)
      return ''
    })
    .replace(/\[([.=])(.)\1\]/gs, '$2')
  if (isOfClass) return true
  for (let i = 0; i < set.length; i++) {
    const to = set[i + 1] === '-' ? set[i + 2] : undefined
    if (to === undefined ? set[i] === letter : (set[i] ?? '') <= letter && letter <= to) return true
    if (to !== undefined) i += 2
  }
  return false
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[\p{L}\p{N}]/u,
  alpha: /\p{L}/u,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /\d/,
  graph: /[^\s\p{Cc}]/u,
  lower: /\p{Ll}/u,
  print: /[^\p{Cc}]/u,
  punct: /[\p{P}\p{S}]/u,
  space: /\s/,
  upper: /\p{Lu}/u,
  word: /\w/,
  xdigit: /[\da-f]/i,
}
