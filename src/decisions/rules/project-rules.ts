/**
 * Rules that a repository brings along, in `.gantry/rules/*.yaml`. Whoever writes to the repository writes them, so they may
 * only tighten, and they hold after a person has seen and trusted exactly this text: it is kept with its hash, signed with the
 * key of approvals, beside the owner's own rules. Whatever becomes of the files, the trusted text stays in force until another
 * is trusted, or none: as rules only tighten, nobody gets rid of them by changing a file.
 */
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { GantryError, messageOf } from '../../core/errors.ts'
import { readOwn, readPlain } from '../../core/files/small-file.ts'
import { isObject } from '../../core/is-object.ts'
import { jsonIn } from '../../core/json.ts'
import type { Rule } from './rule.ts'
import { parseRules } from './rules-file.ts'

const FOLDER = '.gantry/rules'
const MAX_FILES = 50
const MAX_FILE_BYTES = 256 * 1024 // a person reads them before trusting them
const MAX_TRUST_BYTES = 4 * 1024 * 1024
const MAX_KEPT_BYTES = 256 * 1024 // of the text of one project
const BY_OTHERS = 0o002 // the write bit of others

export interface ProjectFiles {
  readonly root: string
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly hash: string
}

export type ProjectState =
  | { readonly root: string; readonly state: 'trusted' | 'untrusted' }
  /** `isKept`: what was trusted is still in force. */
  | { readonly root: string; readonly state: 'changed'; readonly isKept: boolean }
  | { readonly root: string; readonly state: 'refused'; readonly why: string; readonly isKept: boolean }

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
  return { root, files, hash: hashOf(files) }
}

function hashOf(files: ProjectFiles['files']): string {
  const named = files.map(({ path, text }) => [basename(path), text])
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(named)).digest('hex')
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

export interface Trusted {
  readonly root: string
  readonly hash: string
  readonly proof: string
  /** The text itself; absent if it was too long to be kept. */
  readonly files?: ProjectFiles['files']
}

/** The text that was trusted, whatever the project holds by now. */
export function keptText({ root, hash, files }: Trusted): ProjectFiles | undefined {
  return files && hashOf(files) === hash ? { root, files, hash } : undefined
}

/** Trust in a project as it stands, for `trustText`. */
export function trustIn({ root, hash, files }: ProjectFiles, proof: string): Trusted {
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  return { root, hash, proof, ...(bytes > MAX_KEPT_BYTES ? {} : { files }) }
}

/** The file of trust. If it would get too long, the oldest texts are not kept. */
export function trustText(trusted: Iterable<Trusted>): string {
  const all = [...trusted]
  const text = () => `${JSON.stringify(all, null, 2)}\n`
  for (let i = 0; i < all.length && Buffer.byteLength(text()) > MAX_TRUST_BYTES; i++) {
    const { root, hash, proof } = all[i] as Trusted
    all[i] = { root, hash, proof }
  }
  return text()
}

/** Beside the owner's own rules, so that whoever watches those sees it. */
export function trustFile(rulesDir: string): string {
  return join(rulesDir, 'trusted.json')
}

/** Those with a proof by the key; a line that anybody else wrote counts for nothing. */
export function readTrusted(rulesDir: string, key: () => string): ReadonlyMap<string, Trusted> {
  const list = jsonIn(readPlain(trustFile(rulesDir), MAX_TRUST_BYTES))
  const all = Array.isArray(list) ? list.filter(isTrusted) : []
  return new Map(
    all.filter(({ root, hash, proof }) => proof === proofOf(key(), root, hash)).map((one) => [one.root, one]),
  )
}

function isTrusted(value: unknown): value is Trusted {
  if (!isObject(value)) return false
  const { files } = value
  return (
    ['root', 'hash', 'proof'].every((key) => typeof value[key] === 'string') &&
    (files === undefined || (Array.isArray(files) && files.every(isFile)))
  )
}

function isFile(value: unknown): boolean {
  return isObject(value) && typeof value.path === 'string' && typeof value.text === 'string'
}

export function proofOf(key: string, root: string, hash: string): string {
  return new Bun.CryptoHasher('sha256', key)
    .update(JSON.stringify(['project-rules', root, hash]))
    .digest('base64url')
}

/**
 * Undefined if the project neither has rules nor had trusted ones. Untrusted files are not parsed: a hostile one could hold up
 * the daemon.
 */
export function stateOf(root: string, trusted: ReadonlyMap<string, Trusted>): ProjectState | undefined {
  const known = trusted.get(root)
  const isKept = known !== undefined && keptText(known) !== undefined
  try {
    const project = readProject(root)
    if (project === undefined) return isKept ? { root, state: 'changed', isKept } : undefined
    if (known === undefined) return { root, state: 'untrusted' }
    return known.hash === project.hash ? { root, state: 'trusted' } : { root, state: 'changed', isKept }
  } catch (error) {
    return { root, state: 'refused', why: messageOf(error), isKept }
  }
}

/** A line for a person. */
export function stateWords(project: ProjectState): string {
  const { root, state } = project
  if (state === 'refused') return project.isKept ? `${project.why} ${STAY}` : project.why
  if (state === 'trusted') return `The rules of ${root} are trusted.`
  if (state === 'changed' && project.isKept)
    return `The rules of ${root} have changed since you trusted them. ${STAY} Read and trust the new ones: gantry rules trust ${root}`
  const why = state === 'changed' ? 'have changed since you trusted them' : 'are not trusted'
  return `The rules of ${root} ${why}, and do not apply. Read and trust them: gantry rules trust ${root}`
}

const STAY = 'Those that you trusted stay in force.'
