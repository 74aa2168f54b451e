/**
 * The only reader of git: a folder's location (project, branch, worktree) and its context (user, remote, commit, dirty).
 * Cached and asynchronous: files are read again after two seconds, and git itself runs at most every few seconds. A caller
 * that cannot wait gets the last known value, and `onMoved` reports when it changes.
 */
import { hostname } from 'node:os'
import { basename, isAbsolute } from 'node:path'
import { BoundedMap } from '../core/bounded-map.ts'
import { LocalFolders } from '../core/files/local-folders.ts'
import { guardedFiles } from '../core/files/small-file.ts'
import { within } from '../core/time/waits.ts'
import type { GitFacts } from '../events/index.ts'
import { findRepository, type Head, headOf, projectName, type Repository } from './files.ts'
import { type ConfigPlaces, type GitIdentity, identityOf } from './identity.ts'
import { type Asked, GitStatus, type StatusResult } from './status.ts'

interface GitOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly places: ConfigPlaces
  /** Whether git may be run at all. */
  readonly asksGit: () => boolean
  readonly now?: () => number
}

/** What is known about a folder. */
export interface GitContext {
  readonly root: string
  readonly facts: GitFacts
  /** The facts as stored JSON, serialized once because every event needs it. */
  readonly json: string
}

interface Looked {
  readonly at: number
  readonly repository: Repository | undefined
  readonly identity: GitIdentity
  readonly head: Head
  readonly place: Location
  /** The context built with git's last answer. */
  known?: { readonly asked: Asked | undefined; readonly context: GitContext }
}

const FRESH_MS = 2_000 // agents switch branches
const IDENTITY_FRESH_MS = 20_000
const STATUS_FRESH_MS = 5_000
const STATUS_STALE_MS = 30_000 // an older answer is worse than none
const MAX_FOLDERS = 1_000
const SEE_MS = 300 // limit for files on a network mount
const NOBODY: GitIdentity = { isPlain: false }

export class Git {
  readonly status: GitStatus
  readonly #options: GitOptions
  readonly #now: () => number
  readonly #looked = new BoundedMap<string, Looked>(MAX_FOLDERS)
  readonly #looking = new Map<string, Promise<void>>()
  readonly #identities = new Map<string, { readonly at: number; readonly identity: GitIdentity }>()
  #moved: (cwd: string) => void = () => {}
  readonly #files = guardedFiles(new LocalFolders())

  constructor(options: GitOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.status = new GitStatus(options.env, STATUS_FRESH_MS)
  }

  /** Called when a folder's location differs from the last known one. */
  onMoved(moved: (cwd: string) => void): void {
    this.#moved = moved
  }

  /** Refreshes folders unless they are fresh. Waits up to `waitMs` for git's first answer about a repository. */
  async look(folders: Iterable<string>, waitMs: number): Promise<void> {
    const all = [...new Set(folders)]
    await this.see(all)
    const first = all.flatMap((cwd) => this.#ask(cwd))
    if (first.length > 0 && waitMs > 0) await within(Promise.all(first), waitMs)
  }

  /** Reads only files, and waits only a moment: a network mount may never answer. */
  async see(folders: Iterable<string | undefined>): Promise<void> {
    const all = new Set<string>()
    for (const cwd of folders) if (cwd !== undefined && isAbsolute(cwd)) all.add(cwd)
    const looks = [...all].flatMap((cwd) => this.#see(cwd) ?? [])
    if (looks.length > 0) await within(Promise.all(looks), SEE_MS)
  }

  /** The last known location. Refreshes it for the next caller. */
  locationOf(cwd: string | undefined): Location {
    if (cwd === undefined || !isAbsolute(cwd)) return placeIn(undefined)
    void this.#see(cwd)
    return this.#looked.get(cwd)?.place ?? placeIn(cwd)
  }

  /** Whether the folder was read, so that `locationOf` knows whether there is a repository. */
  hasSeen(cwd: string): boolean {
    return this.#looked.has(cwd)
  }

  /** The repository around a folder and, for a linked worktree, its main repository, as last known. */
  rootsOf(cwd: string): string[] {
    if (isAbsolute(cwd)) void this.#see(cwd)
    return rootsIn(this.#looked.get(cwd)?.repository)
  }

  /**
   * The repository around a folder, read now and not kept: for the folders of files, of which there are many. `url` is that of the
   * remote, without credentials.
   */
  async repositoryAround(
    folder: string,
  ): Promise<{ readonly root: string; readonly commonDir: string; readonly url?: string } | undefined> {
    const repository = await findRepository(folder, this.#files)
    if (!repository) return undefined
    const { repo: url } = await this.#identityOf(repository, this.#now())
    const { root, commonDir } = repository
    return { root, commonDir, ...(url === undefined ? {} : { url }) }
  }

  /** The last known context; undefined outside of repositories. */
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

  /** A promise of git's answer if there has been none for this repository yet. */
  #ask(cwd: string): Promise<void>[] {
    const looked = this.#looked.get(cwd)
    if (!looked?.repository || !looked.identity.isPlain || !this.#options.asksGit()) return []
    const { root } = looked.repository
    const isFirst = this.status.get(root) === undefined
    const answer = this.status.ask(root, this.#now())
    return isFirst ? [answer] : []
  }

  /** Undefined if the folder was read a moment ago. */
  #see(cwd: string): Promise<void> | undefined {
    const looked = this.#looked.get(cwd)
    if (looked && Math.abs(this.#now() - looked.at) < FRESH_MS) return undefined // abs: the clock may be set back
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
    const isSame =
      before?.identity === identity &&
      before.head.commit === head.commit &&
      before.head.branch === head.branch
    const known = isSame && before?.known ? { known: before.known } : {}
    this.#looked.set(cwd, { at, repository, identity, head, place, ...known })
    if (!isSamePlace(before?.place ?? placeIn(cwd), place)) this.#moved(cwd)
  }

  /** Cached longer, because configuration changes less often than branches. */
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
  // Files are newer than git's last answer, except where refs are not in files.
  const facts = { ...who, repo, ...(head.commit === undefined ? { ...head, ...said } : head) }
  return dirty === undefined ? facts : { ...facts, dirty }
}

/** Where a session works: project, branch and worktree, as people call them. */
interface Location {
  readonly host: string
  /** Name of the repository, or of the folder outside of one. */
  readonly project?: string
  readonly root?: string
  readonly branch?: string
  /** Name of the linked worktree, if any. */
  readonly worktree?: string
}

const HOST = hostname()
const SHORT_HASH = 12

function placeIn(cwd: string | undefined, repository?: Repository, head: Head = {}): Location {
  if (cwd === undefined) return { host: HOST }
  if (!repository) return { host: HOST, project: basename(cwd) }
  const linked = linkedTo(repository)
  const branch = branchOf(head)
  return {
    host: HOST,
    project: linked ? basename(linked.main) : projectName(repository),
    root: repository.root,
    ...(linked ? { worktree: linked.worktree } : {}),
    ...(branch === undefined ? {} : { branch }),
  }
}

function isSamePlace(a: Location, b: Location): boolean {
  return a.project === b.project && a.root === b.root && a.branch === b.branch && a.worktree === b.worktree
}

/** The repository itself and, for a linked worktree, its main repository. */
function rootsIn(repository: Repository | undefined): string[] {
  if (!repository) return []
  const linked = linkedTo(repository)
  return linked ? [repository.root, linked.main] : [repository.root]
}

/** A linked worktree keeps its files in `<repository>/.git/worktrees/<name>`. */
function linkedTo({ gitDir }: Repository): { readonly main: string; readonly worktree: string } | undefined {
  const [, main, worktree] = /^(.*)\/\.git\/worktrees\/([^/]+)$/.exec(gitDir) ?? []
  return main === undefined || worktree === undefined ? undefined : { main, worktree }
}

function branchOf({ branch, commit }: Head): string | undefined {
  return branch === 'HEAD' ? commit?.slice(0, SHORT_HASH) : branch
}
