/**
 * The one reader of git: the place that a folder is (project, branch, worktree), and its context (who, where from, commit,
 * dirty). Cached and asynchronous: files are looked at again after two seconds, git itself is asked at most every few.
 * Whoever cannot wait gets what was seen last, and `onMoved` tells when that is another.
 */
import { isAbsolute } from 'node:path'
import { LocalFolders } from '../core/files/local-folders.ts'
import { guardedFiles } from '../core/files/small-file.ts'
import type { GitFacts } from '../events/index.ts'
import { findRepository, type Head, headOf, projectName, type Repository } from './files.ts'
import { type ConfigPlaces, type GitIdentity, identityOf } from './identity.ts'
import { isSamePlace, type Place, placeIn, rootsIn } from './location.ts'
import { type Asked, GitStatus, type StatusResult } from './status.ts'

export interface GitOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly places: ConfigPlaces
  /** Whether git may be run at all. */
  readonly asksGit: () => boolean
  readonly now?: () => number
}

/** What is known of a folder. */
export interface GitContext {
  readonly root: string
  readonly facts: GitFacts
  /** The facts as they are stored: made once, and asked for with every event. */
  readonly json: string
}

interface Looked {
  readonly at: number
  readonly repository: Repository | undefined
  readonly identity: GitIdentity
  readonly head: Head
  readonly place: Place
  /** What came of it with git's last answer. */
  known?: { readonly asked: Asked | undefined; readonly context: GitContext }
}

const FRESH_MS = 2_000 // a branch changes under an agent's hands
const IDENTITY_FRESH_MS = 20_000
const STATUS_FRESH_MS = 5_000
const STATUS_STALE_MS = 30_000 // an older answer is worse than none
const MAX_FOLDERS = 1_000
const SEE_MS = 300 // for files that are not on a disk of this machine
const NOBODY: GitIdentity = { isPlain: false }

export class Git {
  readonly status: GitStatus
  readonly #options: GitOptions
  readonly #now: () => number
  readonly #looked = new Map<string, Looked>()
  readonly #looking = new Map<string, Promise<void>>()
  readonly #identities = new Map<string, { readonly at: number; readonly identity: GitIdentity }>()
  #moved: (cwd: string) => void = () => {}
  readonly #files = guardedFiles(new LocalFolders())

  constructor(options: GitOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.status = new GitStatus(options.env, STATUS_FRESH_MS)
  }

  /** Tells when a folder turns out to be another place than it was taken for. */
  onMoved(moved: (cwd: string) => void): void {
    this.#moved = moved
  }

  /** Looks at folders unless that was a moment ago. `waitMs` for git's own answer, where there has been none yet. */
  async look(folders: Iterable<string>, waitMs: number): Promise<void> {
    const all = [...new Set(folders)]
    await this.see(all)
    const first = all.flatMap((cwd) => this.#ask(cwd))
    if (first.length > 0 && waitMs > 0) await Promise.race([Promise.all(first), Bun.sleep(waitMs)])
  }

  /** Only files, and at the latest after a moment: a network may never answer. */
  async see(folders: Iterable<string | undefined>): Promise<void> {
    const all = new Set<string>()
    for (const cwd of folders) if (cwd !== undefined && isAbsolute(cwd)) all.add(cwd)
    const looks = [...all].flatMap((cwd) => this.#see(cwd) ?? [])
    if (looks.length > 0) await within(Promise.all(looks), SEE_MS)
  }

  /** The place as it was seen last. Looks again, for the next one who asks. */
  placeOf(cwd: string | undefined): Place {
    if (cwd === undefined || !isAbsolute(cwd)) return placeIn(undefined)
    void this.#see(cwd)
    return this.#looked.get(cwd)?.place ?? placeIn(cwd)
  }

  /** The repository around a folder, and the one it is a linked worktree of; as it was seen last. */
  rootsOf(cwd: string): string[] {
    if (isAbsolute(cwd)) void this.#see(cwd)
    return rootsIn(this.#looked.get(cwd)?.repository)
  }

  /** What was seen last; nothing outside of repositories. */
  get(cwd: string): GitContext | undefined {
    const looked = this.#looked.get(cwd)
    const repository = looked?.repository
    if (!looked || !repository) return undefined
    const last = this.status.get(repository.root)
    const asked = last && this.#now() - last.at <= STATUS_STALE_MS ? last : undefined
    if (looked.known?.asked !== asked || !looked.known) {
      const facts = factsOf(looked, projectName(repository), asked?.result ?? {})
      const context = { root: repository.root, facts, json: JSON.stringify(facts) }
      looked.known = { asked, context }
    }
    return looked.known.context
  }

  close(): void {
    this.status.close()
  }

  /** The promise of an answer, for a repository that there is none of. */
  #ask(cwd: string): Promise<void>[] {
    const looked = this.#looked.get(cwd)
    if (!looked?.repository || !looked.identity.isPlain || !this.#options.asksGit()) return []
    const { root } = looked.repository
    const isFirst = this.status.get(root) === undefined
    const answer = this.status.ask(root, this.#now())
    return isFirst ? [answer] : []
  }

  /** Nothing when that was a moment ago. */
  #see(cwd: string): Promise<void> | undefined {
    const looked = this.#looked.get(cwd)
    if (looked && Math.abs(this.#now() - looked.at) < FRESH_MS) return undefined // a clock may be set back
    let looking = this.#looking.get(cwd)
    if (!looking && this.#looking.size < MAX_FOLDERS) {
      looking = this.#read(cwd).finally(() => this.#looking.delete(cwd))
      this.#looking.set(cwd, looking)
    }
    return looking
  }

  async #read(cwd: string): Promise<void> {
    const at = this.#now()
    const before = this.#looked.get(cwd)
    const repository = await findRepository(cwd, this.#files)
    const [identity, head] = repository
      ? [await this.#identityOf(repository, at), await headOf(repository, this.#files)]
      : [NOBODY, {}]
    const place = placeIn(cwd, repository, head)
    const [oldest] = this.#looked.size >= MAX_FOLDERS ? this.#looked.keys() : []
    if (oldest !== undefined) this.#looked.delete(oldest)
    this.#looked.delete(cwd)
    const isSame =
      before?.identity === identity &&
      before.head.commit === head.commit &&
      before.head.branch === head.branch
    const known = isSame && before?.known ? { known: before.known } : {}
    this.#looked.set(cwd, { at, repository, identity, head, place, ...known })
    if (!isSamePlace(before?.place ?? placeIn(cwd), place)) this.#moved(cwd)
  }

  /** Configuration changes more seldom than branches do. */
  async #identityOf(repository: Repository, now: number): Promise<GitIdentity> {
    const known = this.#identities.get(repository.gitDir)
    if (known && now - known.at < IDENTITY_FRESH_MS) return known.identity
    const identity = await identityOf(repository, this.#options.places, this.#files)
    if (this.#identities.size >= MAX_FOLDERS) this.#identities.clear()
    const isSame = known && JSON.stringify(known.identity) === JSON.stringify(identity)
    this.#identities.set(repository.gitDir, { at: now, identity: isSame ? known.identity : identity })
    return isSame ? known.identity : identity
  }
}

function factsOf({ identity, head }: Looked, project: string, { dirty, ...said }: StatusResult): GitFacts {
  const { isPlain: _, repo = project, ...who } = identity
  // Files are newer than the last answer of git, except where the names are not in files.
  const facts = { ...who, repo, ...(head.commit === undefined ? { ...head, ...said } : head) }
  return dirty === undefined ? facts : { ...facts, dirty }
}

/** Leaves no timer behind. */
function within(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  void work.finally(() => {
    clearTimeout(timer)
    resolve()
  })
  return promise
}
