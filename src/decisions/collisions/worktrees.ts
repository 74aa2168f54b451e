/** Which living sessions work in which worktree. */
import type { Session } from '../../sessions/state/index.ts'
import type { Repositories } from './repositories.ts'

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
