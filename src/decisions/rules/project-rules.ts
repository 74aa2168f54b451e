/**
 * Rules that a repository brings along, in `.gantry/rules/*.yaml`. Whoever writes to the repository writes them, so they may
 * only tighten, and they hold after a person has seen and trusted exactly this text: its hash is kept, signed with the key
 * of approvals, beside the owner's own rules. One changed byte, and they hold no more until they are trusted again.
 */
import { existsSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { GantryError, messageOf } from '../../core/errors.ts'
import { readOwn, readPlain } from '../../core/files/small-file.ts'
import { isObject } from '../../core/is-object.ts'
import type { Rule } from './rule.ts'
import { parseRules } from './rules-file.ts'

const FOLDER = '.gantry/rules'
const MAX_FILES = 50
const MAX_FILE_BYTES = 256 * 1024 // a person reads them before trusting them
const MAX_TRUST_BYTES = 1024 * 1024
const BY_OTHERS = 0o002 // the write bit of others

export interface ProjectFiles {
  readonly root: string
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly hash: string
}

export type ProjectState =
  | { readonly root: string; readonly state: 'trusted' | 'untrusted' | 'changed' }
  | { readonly root: string; readonly state: 'refused'; readonly why: string }

/** Where they are, and the folders around that, up to the project's. */
export function foldersOf(root: string): readonly string[] {
  const dir = join(root, FOLDER)
  return [dir, dirname(dir), root]
}

/** What a project brings along; undefined if that is nothing. Throws where the files are not plainly the user's own. */
export function readProject(root: string): ProjectFiles | undefined {
  const [dir = '', around = ''] = foldersOf(root)
  for (const folder of [around, dir]) {
    const stats = lstatSync(folder, { throwIfNoEntry: false })
    if (stats === undefined) return undefined
    refuseOdd(folder, stats, stats.isDirectory(), 'a folder')
  }
  const names = readdirSync(dir)
    .filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('.'))
    .sort()
  if (names.length === 0) return undefined
  if (names.length > MAX_FILES) refuse(dir, `it holds ${names.length} files; at most ${MAX_FILES} are read`)
  const files = names.map((name) => {
    const path = join(dir, name)
    const stats = lstatSync(path)
    refuseOdd(path, stats, stats.isFile(), 'a file')
    if (stats.size > MAX_FILE_BYTES) refuse(path, 'it is larger than 256 KB')
    const text = readOwn(path, MAX_FILE_BYTES)
    return { path, text: text ?? refuse(path, 'it cannot be read') }
  })
  const hash = new Bun.CryptoHasher('sha256').update(
    JSON.stringify(files.map(({ text }, i) => [names[i], text])),
  )
  return { root, files, hash: hash.digest('hex') }
}

function refuseOdd(path: string, stats: Stats, isKind: boolean, kind: string): void {
  if (stats.isSymbolicLink()) refuse(path, 'it is a symbolic link')
  if (!isKind) refuse(path, `it is not ${kind}`)
  if (stats.uid !== process.getuid?.()) refuse(path, `it belongs to another user (uid ${stats.uid})`)
  if (stats.mode & BY_OTHERS) refuse(path, 'every user may write to it; run chmod o-w')
}

function refuse(path: string, why: string): never {
  throw new GantryError('BAD_CONFIG', `${path} is not read: ${why}.`)
}

/** Their ids begin with `project:`, so that a verdict shows where it comes from. */
export async function parseProject({ files }: ProjectFiles): Promise<Rule[]> {
  const rules: Rule[] = []
  for (const { path, text } of files)
    for (const rule of await parseRules(text, path, { isProject: true })) {
      const id = `project:${rule.id}`
      if (rules.some((one) => one.id === id))
        throw new GantryError('BAD_CONFIG', `${path}: two rules are called "${rule.id}"`)
      rules.push({ ...rule, id, text: { ...rule.text, id } })
    }
  return rules
}

/** The repository around a folder. */
export function projectAround(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}

export interface Trusted {
  readonly root: string
  readonly hash: string
  readonly proof: string
}

/** Beside the owner's own rules, so that whoever watches those sees it. */
export function trustFile(rulesDir: string): string {
  return join(rulesDir, 'trusted.json')
}

/** Those with a proof by the key; a line that anybody else wrote counts for nothing. */
export function readTrusted(rulesDir: string, key: () => string): ReadonlyMap<string, Trusted> {
  const text = readPlain(trustFile(rulesDir), MAX_TRUST_BYTES)
  if (text === undefined) return new Map()
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return new Map()
  }
  const all = Array.isArray(list) ? list.filter(isTrusted) : []
  return new Map(
    all.filter(({ root, hash, proof }) => proof === proofOf(key(), root, hash)).map((one) => [one.root, one]),
  )
}

function isTrusted(value: unknown): value is Trusted {
  return isObject(value) && ['root', 'hash', 'proof'].every((key) => typeof value[key] === 'string')
}

export function proofOf(key: string, root: string, hash: string): string {
  return new Bun.CryptoHasher('sha256', key)
    .update(JSON.stringify(['project-rules', root, hash]))
    .digest('base64url')
}

/** Of a project with rules; undefined if it has none. */
export async function stateOf(
  root: string,
  trusted: ReadonlyMap<string, Trusted>,
): Promise<ProjectState | undefined> {
  try {
    const project = readProject(root)
    if (project === undefined) return undefined
    await parseProject(project)
    const known = trusted.get(root)
    if (known === undefined) return { root, state: 'untrusted' }
    return { root, state: known.hash === project.hash ? 'trusted' : 'changed' }
  } catch (error) {
    return { root, state: 'refused', why: messageOf(error) }
  }
}

/** A line for a person. */
export function stateWords(project: ProjectState): string {
  const { root, state } = project
  if (state === 'refused') return project.why
  if (state === 'trusted') return `The rules of ${root} are trusted.`
  const why = state === 'changed' ? 'have changed since you trusted them' : 'are not trusted'
  return `The rules of ${root} ${why}, and do not apply. Read and trust them: gantry rules trust ${root}`
}
