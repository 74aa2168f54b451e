/**
 * Globs of rules: on words (`*` is any text) and on paths. A path glob with a slash is seen from `/`, from the home (`~/`) or
 * from the worktree; `*` stays in one folder, `**` does not. One without a slash is about the last name, wherever it is.
 */
import type { FileEffect, ScriptContext } from '../../shell/index.ts'
import { isIn } from '../guards/paths.ts'
import { type Budget, compilePattern } from './pattern/index.ts'

type Judge<T> = (of: T, budget: Budget) => boolean | undefined

/** Whether one of the globs is the whole of a text; undefined when the budget did not last. */
export function textGlobs(globs: string | readonly string[]): Judge<string> {
  const all = [globs].flat()
  const exact = new Set(all.filter((glob) => !WILD.test(glob)))
  const wild = all.filter((glob) => WILD.test(glob)).map(wildGlob)
  const [only] = wild
  if (only === undefined) return (text) => exact.has(text)
  if (all.length === 1) return only
  return (text, budget) => exact.has(text) || anyOf(wild, (one) => one(text, budget))
}

function wildGlob(glob: string): Judge<string> {
  const [start = '', end = '', ...more] = glob.split('*')
  // One star, as in nearly all of them.
  if (more.length === 0 && !glob.includes('?'))
    return (text) => text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end)
  const pattern = compilePattern(`^${translated(glob, ANY)}$`)
  return (text, budget) => pattern.test(text, budget)
}

const WILD = /[*?]/
const ANY = '[\\s\\S]'

/** `any` is what a `*` may be made of. */
function translated(glob: string, any: string): string {
  return glob.replace(/\*\*\/|\*\*|[*?]|[^*?]+/g, (part) => {
    if (part === '**/') return `(?:${ANY}*/)?`
    if (part === '**') return `${ANY}*`
    if (part === '*') return `${any}*`
    return part === '?' ? any : part.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  })
}

type PathJudge = (effect: FileEffect, place: ScriptContext, budget: Budget) => boolean | undefined

export function pathGlobs(globs: string | readonly string[]): PathJudge {
  const all = [globs].flat().map(pathGlob)
  const [only] = all
  if (only !== undefined && all.length === 1) return only
  return (effect, place, budget) => anyOf(all, (one) => one(effect, place, budget))
}

function pathGlob(glob: string): PathJudge {
  if (!glob.includes('/')) {
    const isName = textGlobs(glob)
    return ({ path, known, text }, _, budget) =>
      !known && EXPANDS.test(text.slice(text.lastIndexOf('/')))
        ? undefined
        : isName(path.slice(path.lastIndexOf('/') + 1), budget)
  }
  const from = glob.startsWith('~/') ? 'home' : glob.startsWith('/') ? 'root' : 'worktree'
  const rest = glob.replace(/^(?:~\/|\.\/|\/)/, '')
  const pattern = compilePattern(`^${translated(rest, '[^/]')}$`)
  // The folder that all its paths are in, or the one path that it is.
  const parts = rest.split('/')
  const wild = parts.findIndex((part) => WILD.test(part))
  const fixed = parts.slice(0, wild < 0 ? undefined : wild).join('/')
  const isWhole = wild >= 0 && parts.slice(wild).join('/') === '**'
  let top = ''
  let certain = ''
  return (effect, place, budget) => {
    const folder = from === 'root' ? '/' : folderOf(from, place)
    if (folder !== top) {
      top = folder
      certain = fixed === '' ? top : top === '/' ? `/${fixed}` : `${top}/${fixed}`
    }
    const { path, base, known, recursive, text } = effect
    if (known) {
      if (recursive && isIn(certain, path)) return true // it takes the folder around
      if (!isIn(path, certain)) return false
      return pattern.test(path.slice(top === '/' ? 1 : top.length + 1), budget)
    }
    if (base === undefined) return undefined
    if (isIn(base, certain)) return isWhole || undefined
    if (!isIn(certain, base)) return false
    const next = certain.slice(base === '/' ? 1 : base.length + 1).split('/')[0] ?? ''
    const word = path.slice(base === '/' ? 1 : base.length + 1).split('/')[0] ?? ''
    if (EXPANDS.test(text) || word.includes('[')) return undefined
    return textGlobs(word)(next, budget) === false ? false : undefined
  }
}

const EXPANDS = /[$`]/

type Folder = 'worktree' | 'home' | 'cwd'

/** Whether a path is outside of a folder. What follows a known folder counts as in it. */
export function isOutside({ path, base, known, text }: FileEffect, folder: Folder, place: ScriptContext) {
  const top = folderOf(folder, place)
  if (known) return !isIn(path, top)
  if (base === undefined) return undefined
  if (isIn(base, top)) return false
  return isIn(top, base) && EXPANDS.test(text) ? undefined : true
}

/** Where there is no repository, the folder of the session is the worktree. */
function folderOf(folder: Folder, place: ScriptContext): string {
  let known = FOLDERS.get(place)
  if (known === undefined) {
    const real = (path: string) => place.realpath?.(path) ?? path
    known = { worktree: real(place.worktree ?? place.cwd), home: real(place.home), cwd: real(place.cwd) }
    FOLDERS.set(place, known)
  }
  return known[folder]
}

/** Found once for all rules. */
const FOLDERS = new WeakMap<ScriptContext, Readonly<Record<Folder, string>>>()

export function anyOf<T>(
  all: readonly T[],
  judge: (one: T, index: number) => boolean | undefined,
): boolean | undefined {
  let found: boolean | undefined = false
  for (let i = 0; i < all.length; i++) {
    const said = judge(all[i] as T, i)
    if (said) return true
    if (said === undefined) found = undefined
  }
  return found
}
