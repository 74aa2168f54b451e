/**
 * The repositories around written files, so that a file is the same file in each worktree, clone and host. Folders are read after a
 * commit; a decision only looks up what is known.
 */
import { dirname, isAbsolute } from 'node:path'
import { BoundedMap } from '../../core/bounded-map.ts'
import { LocalFolders } from '../../core/files/local-folders.ts'
import type { Git } from '../../git/index.ts'
import type { Session } from '../../sessions/state/index.ts'

interface Repository {
  readonly root: string
  /** The same for all worktrees and clones: the address of the remote, else the .git folder that worktrees share. */
  readonly id: string
  /** The id means the same on other hosts. */
  readonly isShared: boolean
}

const MAX_FOLDERS = 2_000
const FRESH_MS = 60_000 // a folder may become a repository or a worktree
const MAX_DEPTH = 40

export class Repositories {
  readonly #git: Pick<Git, 'repositoryAround'>
  readonly #local = new LocalFolders()
  readonly #known = new BoundedMap<
    string,
    { readonly at: number; readonly repository: Repository | undefined }
  >(MAX_FOLDERS)
  readonly #reading = new Map<string, Promise<Repository | undefined>>()

  constructor(git: Pick<Git, 'repositoryAround'>) {
    this.#git = git
  }

  /** As last known, for the folder itself or the nearest one above it. */
  of(folder: string): Repository | undefined {
    for (let at = folder, depth = 0; depth < MAX_DEPTH; at = dirname(at), depth++) {
      const known = this.#known.get(at)
      if (known) return known.repository
      if (at === '/') return undefined
    }
    return undefined
  }

  /** Reads the folder unless it was read a moment ago. */
  async learn(folder: string): Promise<Repository | undefined> {
    const known = this.#known.get(folder)
    if (known && performance.now() - known.at < FRESH_MS) return known.repository
    let reading = this.#reading.get(folder)
    if (!reading) {
      if (this.#reading.size >= MAX_FOLDERS) return undefined
      reading = this.#read(folder).finally(() => this.#reading.delete(folder))
      this.#reading.set(folder, reading)
    }
    return reading
  }

  async #read(folder: string): Promise<Repository | undefined> {
    const found = await this.#git.repositoryAround(folder)
    const { url = '' } = found ?? {}
    const shared = sharedId(url)
    const repository = found && {
      root: this.#local.real(found.root) ?? found.root,
      id: shared ?? (isAbsolute(url) ? url : found.commonDir),
      isShared: shared !== undefined,
    }
    this.#keep(folder, repository)
    if (repository) this.#keep(repository.root, repository)
    return repository
  }

  #keep(folder: string, repository: Repository | undefined): void {
    this.#known.set(folder, { at: performance.now(), repository })
  }
}

const SCP_LIKE = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/
const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i

/**
 * One repository has several addresses: git@host:acme/app.git, https://host/acme/app. Undefined for a path, which means something
 * else on each host.
 */
export function sharedId(url: string): string | undefined {
  const [, host, path] = URL_LIKE.exec(url) ?? SCP_LIKE.exec(url) ?? []
  if (host === undefined || path === undefined) return undefined
  return `${host.toLowerCase()}/${path.replace(/^\/+|(?:\.git)?\/*$/g, '')}`
}

export class Worktrees {
  readonly #repositories: Pick<Repositories, 'learn'>
  readonly #sessions = new Map<string, { readonly cwd: string; readonly root: string | undefined }>()
  readonly #roots = new Map<string, Set<string>>()

  constructor(repositories: Pick<Repositories, 'learn'>) {
    this.#repositories = repositories
  }

  /** The keys of the sessions there, the last that came at the end. */
  sessionsIn(root: string): readonly string[] {
    return [...(this.#roots.get(root) ?? [])]
  }

  /** Call it with every change of a session; true if it has just ended. */
  locate({ key, cwd, endedAt }: Session): boolean {
    const before = this.#sessions.get(key)
    if (endedAt !== undefined || cwd === undefined) {
      this.#move(key, before?.root, undefined)
      return this.#sessions.delete(key)
    }
    if (before?.cwd === cwd) return false
    this.#sessions.set(key, { cwd, root: before?.root })
    void this.#repositories.learn(cwd).then((repository) => {
      const now = this.#sessions.get(key)
      if (now?.cwd !== cwd) return
      this.#move(key, now.root, repository?.root)
      this.#sessions.set(key, { cwd, root: repository?.root })
    })
    return false
  }

  #move(key: string, from: string | undefined, to: string | undefined): void {
    const left = from === undefined ? undefined : this.#roots.get(from)
    left?.delete(key)
    if (from !== undefined && left?.size === 0) this.#roots.delete(from)
    if (to !== undefined) this.#roots.set(to, (this.#roots.get(to) ?? new Set<string>()).add(key))
  }
}
