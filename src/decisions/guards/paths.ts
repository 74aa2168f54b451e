/** Where a path is, as its owner sees it: the project, a temporary folder, the home, the system, somewhere else. */
import { resolve } from 'node:path'
import { throughProc } from '../../core/files/through-proc.ts'
import { type FileEffect, lastAlternative, plainCode, type ScriptContext } from '../../shell/index.ts'
import type { Call } from './call.ts'
import type { Facts } from './guard.ts'

export type Where =
  | 'root'
  | 'device'
  | 'system'
  | 'home' // a home folder itself, or what stands right in it and matters
  | 'project' // the whole of it, or a folder around it
  | 'inside'
  | 'temp'
  | 'outside'
  | 'unknown'

const SYSTEM =
  /^\/(?:bin|boot|dev|etc|lib(?:32|64|x32)?|proc|sbin|sys|usr|System|Library|Applications|private\/etc|nix|var\/(?:lib|log|spool|cache|db|backups|run)|run)(?:\/|$)/
/** Folders of the first level, which hold everything of a kind. */
const TOP =
  /^\/(?:home|Users|root|opt|srv|var|mnt|media|Volumes|private|snap|data|lost\+found|cdrom|workspace|workspaces)$/
const HOMES = /^\/(?:home|Users)\/[^/]+$|^\/root$|^\/var\/root$/
const TEMP =
  /^(?:\/private)?(?:\/var)?\/tmp\/.|^\/dev\/shm\/.|^\/(?:private\/)?var\/folders\/.|^\/run\/user\/\d+\/./
const TEMP_ITSELF = /^(?:\/private)?(?:\/var)?\/tmp$|^\/dev\/shm$/
/** Harmless to write to. */
const SINK =
  /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+|ptmx|u?random|tcp\/.*|udp\/.*)$|^\/proc\/self\/fd\/\d+$/
const HOME_PARTS =
  /^\/(?:\.ssh|\.gnupg|\.aws|\.kube|\.config|\.local(?:\/share|\/bin)?|\.docker|\.password-store|\.mozilla|\.thunderbird|\.gitconfig|\.[a-z]*rc|\.[a-z]*profile|Documents|Desktop|Downloads|Pictures|Music|Videos|Movies|Library|Dropbox|OneDrive|projects?|src|code|work|repos?|git|dev|workspace)$/i

/** `/a/*` is all of `/a`, and so is `/a/[a-z]*`; `/u*` is some of `/`. A glob further down names only a part. */
function contentsOf(path: string): string {
  const parts = path.split('/')
  while (parts.length > 1 && isAllNames(parts.at(-1) ?? '')) parts.pop()
  const whole = parts.join('/')
  return whole === '' ? '/' : whole
}

/** A glob that names nothing in particular: no letter, no digit, and no `~` or `#` of backups. `[0-9]*` and `[ab]*` name some. */
export function isAllNames(part: string): boolean {
  if (part === '.') return true
  if (!/[*?[(]/.test(part) || part.length > MAX_NAME_CHARS) return false
  const open = part
    .replace(/[!?*]\([^()]*\)/g, '*')
    .replace(/\[([!^]?)((?:\[:\w+:\]|\]?[^\]])[^\][]*(?:\[:\w+:\][^\][]*)*)\]/g, (set, not, names) =>
      not !== '' || isWide(names) ? '?' : set,
    )
  return !/[\p{L}\p{N}~#]/u.test(open)
}
const MAX_NAME_CHARS = 255

/** Most letters, or a class of them. */
function isWide(names: string): boolean {
  if (/\[:(?!digit|xdigit|blank|space|punct|cntrl)/.test(names)) return true
  const ranges = [...names.matchAll(/([A-Za-z])-([A-Za-z])/g)]
  const wide = (from = '', to = '') => to.charCodeAt(0) - from.charCodeAt(0) >= MANY_LETTERS
  return (
    ranges.some(([, from, to]) => wide(from, to)) || names.replace(/[^A-Za-z]/g, '').length > MANY_LETTERS
  )
}
const MANY_LETTERS = 8

/** Computed once per effect: many guards ask. */
const KNOWN = new WeakMap<FileEffect, Where>()

export function locationOf(effect: FileEffect, place: ScriptContext): Where {
  const known = KNOWN.get(effect)
  if (known) return known
  const where = effect.path.length > MAX_PATH_CHARS ? 'unknown' : look(effect, place)
  KNOWN.set(effect, where)
  return where
}
const MAX_PATH_CHARS = 4096 // the kernel takes no longer one

function look(effect: FileEffect, place: ScriptContext): Where {
  // A glob is not known either, and says well enough where it is.
  return effect.known || !/[$`]/.test(effect.path)
    ? whereIsPath(effect.path, place)
    : whereUnknown(effect, place)
}

/** Globs, and what normalizing would change. */
const OPEN = /[*?[{]|!\(|\/\.{0,2}(?:\/|$)/

function whereIsPath(given: string, place: ScriptContext): Where {
  // Most are plain names in the project; a command may have thousands of them.
  const project = projectOf(place)
  if (project !== undefined && given.startsWith(`${project}/`) && !OPEN.test(given)) return 'inside'
  if (/^[A-Za-z]:[\\/]/.test(given))
    return /^[A-Za-z]:[\\/]+(?:\*|windows|users|program files)?[^\\/]*$/i.test(given) ? 'root' : 'outside'
  const path = contentsOf(given.length > 1 ? given.replace(/\/+$/, '') || '/' : given)
  if (path === '/' || /^\/[^/]*[*?[{]/.test(path)) return 'root'
  if (SINK.test(path)) return 'temp'
  const { home } = place
  if (project !== undefined && isIn(path, project)) return path === project ? 'project' : 'inside'
  if (path === home || isIn(home, path) || HOMES.test(path) || /^\/(?:home|Users)\/\*/.test(path))
    return 'home'
  if (TEMP.test(path) || TEMP_ITSELF.test(path)) return 'temp'
  if (/^\/dev\//.test(path)) return 'device'
  if (SYSTEM.test(path) || TOP.test(path)) return 'system'
  if (isIn(path, home) && HOME_PARTS.test(path.slice(home.length))) return 'home'
  if (project !== undefined && isIn(project, path)) return 'project'
  return 'outside'
}

const PROJECTS = new WeakMap<ScriptContext, { readonly folder: string | undefined }>()

/** A word of a command as a path, for guards that know an option whose value no effect has. */
export function pathOf(word: string, place: ScriptContext): string {
  const path = word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, place.home)
  if (/[$`]|^[A-Za-z]:/.test(path) || path.length > MAX_PATH_CHARS) return path
  const full = throughProc(resolve(place.cwd, path), place.cwd)
  return place.realpath?.(full) ?? full
}

export function locationOfWord(word: string, place: ScriptContext): Where {
  return whereIsPath(pathOf(word, place), place)
}

/** Paths with a hidden folder that code names, of which only the end may be known: `homedir() + '/.x/y'`. */
export function* homePathsIn(code: string, { home }: ScriptContext): Generator<string> {
  for (const [, part = ''] of plainCode(code.slice(0, MAX_CODE_CHARS)).matchAll(
    /['"`](?:~|\/(?:home|Users)\/[\w.-]{1,64}|\/root)?\/?(\.[\w-]+\/[^'"`\s]{1,200})['"`]/g,
  ))
    yield `${home}/${part}`
}
const MAX_CODE_CHARS = 20_000

/** The folder that is the session's own: never a home, a root or a folder of the system. */
export function projectOf(place: ScriptContext): string | undefined {
  const known = PROJECTS.get(place)
  if (known) return known.folder
  const { worktree, cwd, home } = place
  const folder = worktree ?? cwd
  const isTooMuch = folder === '/' || isIn(home, folder) || SYSTEM.test(folder) || TOP.test(folder)
  const found = { folder: isTooMuch ? undefined : folder }
  PROJECTS.set(place, found)
  return found.folder
}

export function isIn(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false
  return path.length === folder.length || path[folder.length] === '/' || folder === '/'
}

/** `$TMPDIR`, `${MY_TEMP}`; no template, no attempt. Where `${TMPDIR:?}` has no value, nothing runs. */
const TEMP_NAME = /^["']?\$(?:\w*te?mp(?!er|[lt])\w*|\{\w*te?mp(?!er|[lt])\w*(:?\?)?[^}]*\})["']?/i
const MADE_TEMP = /^["']?(?:\$\(|`)\s*mktemp\b/

/** What a variable holds nobody knows; its name, and what surrounds it, tell something. */
function whereUnknown({ text, path }: Pick<FileEffect, 'path' | 'text'>, place: ScriptContext): Where {
  const temp = TEMP_NAME.exec(text)
  if (
    MADE_TEMP.test(text) ||
    (temp && (temp[1] !== undefined || isHarmless(text.slice(temp[0].length), place)))
  )
    return 'temp'
  if (temp) return 'unknown'
  if (/^["']?\$\{?(?:HOME|USERPROFILE)\}?["']?(?:\/\*?)?["']?$/.test(text)) return 'home'
  if (/^["']?\$\{?(?:PWD|OLDPWD)\}?["']?\/?$/.test(text)) return 'project'
  // Known up to the variable: /etc/$x is in /etc, and build/$x in build.
  const head = /^[^$`*?]*\//.exec(text)?.[0]
  if (head?.startsWith('/') && head.length > 1) {
    const where = whereIsPath(head, place)
    return where === 'project' ? 'unknown' : where
  }
  if (
    head !== undefined &&
    !/^(?:\.{0,2}\/)+$/.test(head) &&
    !head.includes('..') &&
    !/^["'~]/.test(head) &&
    path.startsWith('/')
  )
    return whereIsPath(`${place.cwd}/${head}x`, place)
  return 'unknown'
}

/** On most systems `$TMPDIR` is not set, so that `$TMPDIR/etc` is `/etc`, `$TMPDIR/*` all there is, and `find $TMPDIR` looks here. */
function isHarmless(rest: string, place: ScriptContext): boolean {
  if (rest === '') return true
  const walked = /^\/\*\*\/(.*)$/s.exec(rest)?.[1]
  if (walked !== undefined) return !isAllNames(walked)
  const head = rest.replace(/[$`][\s\S]*/, '')
  if (/^\/?$|(?:^|\/)\.\.(?:\/|$)/.test(head)) return false
  return /^\/\w+[-_.][^/]*$/.test(head) || /^(?:inside|outside|temp)$/.test(locationOfWord(head, place))
}

/** Names that a walk is bound to. An age or a size says little of what it takes; `! -name x` takes all the rest. */
export function isFilter(words: readonly string[]): boolean {
  return lastAlternative(words).some((i) => {
    const word = words[i] ?? ''
    return (
      /^-(?:i?name|i?path|i?wholename|i?regex|empty|e|-extension)$/.test(word) &&
      !/^(?:!|-not)$/.test(words[i - 1] ?? '') &&
      !isNoPattern(word, words[i + 1] ?? '', words)
    )
  })
}

/** It fits every name below one of the folders: `-name '*.*'`, `-path './*'`, `-regex '.*'`. */
function isNoPattern(test: string, pattern: string, words: readonly string[]): boolean {
  if (/regex$/.test(test)) return /^[.*+?^$/()\\]+$/.test(pattern)
  if (/name$/.test(test) && !/wholename$/.test(test)) return isAllNames(pattern)
  if (!/(?:path|wholename)$/.test(test)) return false
  const folder = contentsOf(`/${pattern}`).slice(1)
  return folder === '' || folder === '.' || words.includes(folder) || words.includes(`${folder}/`)
}

/** The command affects only a part of the folder that it walks: `find . -name x -delete`. */
export function isFiltered({ command }: FileEffect, { calls }: Facts): boolean {
  const call = command === undefined ? undefined : calls[command]
  if (call === undefined) return false
  const walker = call.program === 'find' ? call : calls[call.command.parent ?? -1]
  if (walker?.program !== 'find' && walker?.program !== 'fd') return false
  return isFilter(walker.words)
}

export const IN_WORDS: Readonly<Record<Where, string>> = {
  root: 'the root of the file system',
  device: 'a device',
  system: 'a folder of the system',
  home: 'a home folder, or a main part of one',
  project: 'the whole project',
  inside: 'the project',
  temp: 'a temporary folder',
  outside: 'a place outside of the project',
  unknown: 'a place that only the run will show',
}

/** Git makes and removes only its own worktrees, and none with changes; `ssh-keygen -l` and `-y` only read. */
function isLookedAfter(call: Call | undefined): boolean {
  if (call?.program === 'git') return call.words.includes('worktree')
  return call?.program === 'ssh-keygen' && call.words.some((word) => /^-\w*[lyBF]/.test(word))
}

/** Inside of the project, and neither hidden nor in a hidden folder: no settings, no history, no credentials by their place. */
export function isPlain({ path }: Pick<FileEffect, 'path'>, place: ScriptContext): boolean {
  const project = projectOf(place)
  return project !== undefined && path.startsWith(`${project}/`) && !path.includes('/.', project.length)
}

/** Effects that may be outside of the project: mostly none of thousands, and many guards ask. */
const MAYBE_OUTSIDE = new WeakMap<readonly FileEffect[], readonly FileEffect[]>()

export function maybeOutside(effects: readonly FileEffect[], { place, calls }: Facts): readonly FileEffect[] {
  const known = MAYBE_OUTSIDE.get(effects)
  if (known) return known
  const found = effects.filter(
    (effect) => locationOf(effect, place) !== 'inside' && !isLookedAfter(calls[effect.command]),
  )
  MAYBE_OUTSIDE.set(effects, found)
  return found
}

/** Computed once per list: a script may have thousands of calls and files. */
const BY_COMMAND = new WeakMap<readonly FileEffect[], ReadonlyMap<number, readonly FileEffect[]>>()
const NO_EFFECTS: readonly FileEffect[] = []

/** What one command does, of a list of effects. */
export function effectsBy(effects: readonly FileEffect[], command: number): readonly FileEffect[] {
  let known = BY_COMMAND.get(effects)
  if (known === undefined) {
    const found = new Map<number, FileEffect[]>()
    for (const effect of effects) {
      const list = found.get(effect.command)
      if (list) list.push(effect)
      else found.set(effect.command, [effect])
    }
    known = found
    BY_COMMAND.set(effects, known)
  }
  return known.get(command) ?? NO_EFFECTS
}

export function shown({ text, path }: FileEffect): string {
  return `"${text === '' ? path : text}"`
}
