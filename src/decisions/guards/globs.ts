/** Whether a path with globs may be a given file, as a shell would expand it. */
import { matchesGlob } from '../../core/text/glob.ts'

const MAX_CHARS = 1_024
const MAX_DEEP = 3 // times `**`: each multiplies the work

export function isGlob(path: string): boolean {
  return /[*?[]|[+@!]\(/.test(path)
}

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

/** One name: `*`, `?` and `[…]`. None of them stands for a dot at the start. `@(a|b)` and its like may be anything. */
function isName(given: string, name: string): boolean {
  if (given === name) return true
  if (!isGlob(given)) return false
  const glob = given.replace(EXTENDED, '*')
  if (name.startsWith('.') && /^[*?[]/.test(given) && !/^[*?]\(/.test(given)) return false
  return matchesGlob(glob, name)
}
const EXTENDED = /[?*+@!]\([^()]*(?:\([^()]*\)[^()]*)*\)/g
