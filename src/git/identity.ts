/**
 * The user and remote of a repository, from the files that git would read. The user's own files may include others, as is
 * common for work and private addresses. A repository's file may not include anything, because it is untrusted.
 */
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { expandHome } from '../core/files/paths.ts'
import type { Files } from '../core/files/small-file.ts'
import { redact } from '../redaction/index.ts'
import type { Repository } from './files.ts'
import { type ConfigEntry, lastOf, parseGitConfig } from './git-config.ts'

export interface GitIdentity {
  readonly user?: string
  readonly email?: string
  readonly repo?: string
  /** The repository's configuration is harmless, so git may be run in it. */
  readonly isPlain: boolean
}

export interface ConfigPlaces {
  readonly home: string
  readonly xdg?: string | undefined
  readonly system?: string
}

const MAX_CONFIG_BYTES = 64 * 1024
const MAX_INCLUDES = 20
const MAX_NAME_CHARS = 200
const MAX_URL_CHARS = 500

export async function identityOf(
  repository: Repository,
  places: ConfigPlaces,
  files: Files,
): Promise<GitIdentity> {
  const own = await ownConfig(repository, files)
  const users = await userConfig(repository.gitDir, places, files)
  const all = [...users, ...(own ?? [])]
  const remotes = (own ?? []).filter(({ section, key }) => section === 'remote' && key === 'url')
  const url = lastOf(own ?? [], 'remote', 'url', 'origin') ?? remotes[0]?.value
  return {
    ...given('user', lastOf(all, 'user', 'name')),
    ...given('email', lastOf(all, 'user', 'email')),
    ...(url === undefined ? {} : { repo: withoutCredentials(url) }),
    isPlain: (own?.every(isHarmless) ?? false) && (await hasPlainIndex(repository, files)),
  }
}

/** The repository's own file and its worktree's. Undefined if it cannot be read whole. */
async function ownConfig(
  { gitDir, commonDir }: Repository,
  files: Files,
): Promise<ConfigEntry[] | undefined> {
  const text = await files.read(join(commonDir, 'config'), MAX_CONFIG_BYTES)
  if (text === undefined) return undefined
  const entries = parseGitConfig(text)
  if (lastOf(entries, 'extensions', 'worktreeconfig') !== 'true') return entries
  const worktree = await files.read(join(gitDir, 'config.worktree'), MAX_CONFIG_BYTES)
  return [...entries, ...parseGitConfig(worktree ?? '')]
}

/**
 * `git status` runs the filters that a repository's configuration names on any file that looks changed. An include may add
 * more, and `core.worktree` would make git read somebody else's files. No option disables all of this, so git is not run
 * there.
 */
function isHarmless({ section, key }: ConfigEntry): boolean {
  if (section === 'filter' || section === 'include' || section === 'includeif') return false
  return !(section === 'core' && key === 'worktree')
}

/** Git would wait forever on a pipe. */
async function hasPlainIndex({ gitDir }: Repository, files: Files): Promise<boolean> {
  const index = await files.lstat(join(gitDir, 'index'))
  return index === undefined || index.isFile()
}

async function userConfig(
  gitDir: string,
  { home, xdg, system = '/etc/gitconfig' }: ConfigPlaces,
  files: Files,
) {
  const paths = [system, join(xdg ?? join(home, '.config'), 'git/config'), join(home, '.gitconfig')]
  const left = { includes: MAX_INCLUDES }
  const all: ConfigEntry[] = []
  for (const path of paths) all.push(...(await withIncludes(path, { gitDir, home, left, files })))
  return all
}

interface Including {
  readonly gitDir: string
  readonly home: string
  readonly left: { includes: number }
  readonly files: Files
}

/** Inserts an included file in place of its include: later values override it. */
async function withIncludes(file: string, including: Including): Promise<ConfigEntry[]> {
  const text = await including.files.read(file, MAX_CONFIG_BYTES)
  if (text === undefined) return []
  const all: ConfigEntry[] = []
  for (const entry of parseGitConfig(text)) {
    if (!isIncluded(entry, file, including)) {
      all.push(entry)
      continue
    }
    including.left.includes -= 1
    if (including.left.includes < 0) continue
    const path = expandHome(entry.value, including.home)
    all.push(...(await withIncludes(isAbsolute(path) ? path : resolve(dirname(file), path), including)))
  }
  return all
}

function isIncluded({ section, sub, key }: ConfigEntry, file: string, { gitDir, home }: Including): boolean {
  if (key !== 'path') return false
  if (section === 'include') return true
  const condition = /^gitdir(\/i)?:(.+)$/.exec(sub)
  if (section !== 'includeif' || !condition) return false
  const [, ignoreCase, pattern = ''] = condition
  return patternOf(pattern, dirname(file), home, ignoreCase !== undefined).test(`${gitDir}/`)
}

/** Like gitignore: `*` within a name, `**` across folders, a trailing slash matches everything inside. */
function patternOf(pattern: string, here: string, home: string, ignoreCase: boolean): RegExp {
  let path = expandHome(pattern, home).replace(/^\.\//, `${here}/`)
  if (!path.startsWith('/')) path = `**/${path}`
  path = path.endsWith('/') ? `${path}**` : `${path}/`
  const source = path
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => GLOBS[part] ?? part.replace(/[.+^${}()|[\]\\]/g, '\\$&'))
    .join('')
  return new RegExp(`^${source}$`, ignoreCase ? 'i' : '')
}

const GLOBS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}

/** Credentials in a URL are secret; the user name of an ssh URL is not. */
export function withoutCredentials(url: string): string {
  const plain = oneLine(url, MAX_URL_CHARS)
  const match = /^([a-z][a-z0-9+.-]*:\/\/)(?:([^/@]*)@)?([^?#]*)/i.exec(plain)
  if (!match) return redact(plain).text
  const [, scheme = '', credentials, rest = ''] = match
  const user = /^ssh/i.test(scheme) && credentials ? `${credentials.split(':')[0]}@` : ''
  return redact(`${scheme}${user}${rest}`).text
}

function given(name: 'user' | 'email', value: string | undefined): { user?: string; email?: string } {
  return value === undefined || value === '' ? {} : { [name]: oneLine(value, MAX_NAME_CHARS) }
}

function oneLine(text: string, chars: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, chars)
}
