/**
 * The git context of a folder: who, where from, branch, commit, dirty. Cached and asynchronous: files are looked at again
 * after two seconds, git itself is asked at most every few.
 */
import type { GitFacts } from '../../events/index.ts'
import { findRepository, type Head, headOf, projectName, type Repository } from './git-files.ts'
import { type ConfigPlaces, type GitIdentity, identityOf } from './git-identity.ts'
import { GitStatus } from './git-status.ts'

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
}

interface Looked {
  at: number
  repository: Repository | undefined
  identity: GitIdentity
  head: Head
}

const FRESH_MS = 2_000 // a branch changes under an agent's hands
const STATUS_FRESH_MS = 5_000
const STATUS_STALE_MS = 30_000 // an older answer is worse than none
const MAX_FOLDERS = 1_000
const NOBODY: GitIdentity = { isPlain: false }

export class Git {
  readonly status: GitStatus
  readonly #options: GitOptions
  readonly #now: () => number
  readonly #looked = new Map<string, Looked>()
  readonly #looking = new Map<string, Promise<void>>()

  constructor(options: GitOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.status = new GitStatus(options.env, STATUS_FRESH_MS)
  }

  /** Looks at folders unless that was a moment ago. `waitMs` for git's own answer, where there has been none yet. */
  async look(folders: Iterable<string>, waitMs: number): Promise<void> {
    const all = [...new Set(folders)]
    await Promise.all(all.map((cwd) => this.#see(cwd)))
    const first = all.flatMap((cwd) => this.#ask(cwd))
    if (first.length > 0 && waitMs > 0) await Promise.race([Promise.all(first), Bun.sleep(waitMs)])
  }

  /** What was seen last; nothing outside of repositories. */
  get(cwd: string): GitContext | undefined {
    const looked = this.#looked.get(cwd)
    const repository = looked?.repository
    if (!looked || !repository) return undefined
    const { isPlain: _, repo = projectName(repository), ...who } = looked.identity
    const asked = this.status.get(repository.root)
    const isStale = asked === undefined || this.#now() - asked.at > STATUS_STALE_MS
    const { dirty, ...head } = isStale ? {} : asked.result
    // Files are newer than the last answer of git, except where the names are not in files.
    const isInFiles = looked.head.commit !== undefined
    const facts = { ...who, repo, ...(isInFiles ? looked.head : { ...looked.head, ...head }) }
    return { root: repository.root, facts: dirty === undefined ? facts : { ...facts, dirty } }
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

  #see(cwd: string): Promise<void> {
    const looked = this.#looked.get(cwd)
    if (looked && this.#now() - looked.at < FRESH_MS) return Promise.resolve()
    let looking = this.#looking.get(cwd)
    if (!looking) {
      looking = this.#read(cwd).finally(() => this.#looking.delete(cwd))
      this.#looking.set(cwd, looking)
    }
    return looking
  }

  async #read(cwd: string): Promise<void> {
    const at = this.#now()
    const repository = await findRepository(cwd)
    const [identity, head] = repository
      ? await Promise.all([identityOf(repository, this.#options.places), headOf(repository)])
      : [NOBODY, {}]
    const [oldest] = this.#looked.size >= MAX_FOLDERS ? this.#looked.keys() : []
    if (oldest !== undefined) this.#looked.delete(oldest)
    this.#looked.delete(cwd)
    this.#looked.set(cwd, { at, repository, identity, head })
  }
}
