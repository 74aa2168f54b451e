/** Whether a path with globs may be a given file, as a shell would expand it. */

const MAX_CHARS = 1_024
const MAX_DEEP = 3 // times `**`: each multiplies the work

/** `/home/user/.s*h/id_?sa` may be `/home/user/.ssh/id_rsa`; `**` goes through folders. */
export function mayBe(glob: string, file: string): boolean {
  if (glob.length > MAX_CHARS) return false
  const names = glob.split('/')
  const wanted = file.split('/')
  if (names.filter((name) => name === '**').length > MAX_DEEP) return true
  return matches(names, 0, wanted, 0)
}

/** Whether it may be in the folder, or the folder itself. */
export function mayBeIn(glob: string, folder: string): boolean {
  const names = glob.length > MAX_CHARS ? [] : glob.split('/')
  const depth = folder.split('/').length
  return names.length >= depth && mayBe(names.slice(0, depth).join('/'), folder)
}

function matches(names: readonly string[], i: number, wanted: readonly string[], j: number): boolean {
  if (i === names.length) return j === wanted.length
  if (names[i] === '**') {
    for (let next = j; next <= wanted.length && next - j <= MAX_DEPTH; next++)
      if (matches(names, i + 1, wanted, next)) return true
    return false
  }
  return j < wanted.length && isName(names[i] ?? '', wanted[j] ?? '') && matches(names, i + 1, wanted, j + 1)
}
const MAX_DEPTH = 16

/** One name: `*`, `?` and `[…]`. None of them stands for a dot at the start. */
function isName(glob: string, name: string): boolean {
  if (glob === name) return true
  if (!/[*?[]/.test(glob) || (name.startsWith('.') && /^[*?[]/.test(glob))) return false
  let at = 0
  let i = 0
  let star = -1
  let retry = 0
  while (i < name.length) {
    const one = oneOf(glob, at)
    if (glob[at] === '*') {
      star = at++
      retry = i
    } else if (one?.test(name[i] ?? '')) {
      at = one.end
      i++
    } else if (star >= 0) {
      at = star + 1
      i = ++retry
    } else return false
  }
  while (glob[at] === '*') at++
  return at === glob.length
}

interface One {
  readonly end: number
  test(letter: string): boolean
}

/** What stands for one letter at a place of a glob. */
function oneOf(glob: string, at: number): One | undefined {
  const letter = glob[at]
  if (letter === undefined) return undefined
  if (letter === '?') return { end: at + 1, test: () => true }
  const close = letter === '[' ? glob.indexOf(']', at + 2) : -1
  if (close < 0) return { end: at + 1, test: (other) => other === letter }
  const isNot = /[!^]/.test(glob[at + 1] ?? '')
  const set = glob.slice(at + (isNot ? 2 : 1), close)
  return { end: close + 1, test: (other) => isInSet(set, other) !== isNot }
}

function isInSet(set: string, letter: string): boolean {
  if (set.includes('[:')) return true
  for (let i = 0; i < set.length; i++) {
    const to = set[i + 1] === '-' ? set[i + 2] : undefined
    if (to === undefined ? set[i] === letter : (set[i] ?? '') <= letter && letter <= to) return true
    if (to !== undefined) i += 2
  }
  return false
}
