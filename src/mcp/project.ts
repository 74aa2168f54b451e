/**
 * Whose data an agent sees: that of its own project, which is the repository around the folder that the server was started
 * in, with all its worktrees; outside of a repository, the folder. `scope = "all"` under [mcp] opens every project. Only a
 * person sets it: "gantry config set" is refused inside an agent.
 */
import { sep } from 'node:path'
import { call, type SessionView } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import { homeOf, type Places } from '../core/files/paths.ts'
import { Git } from '../git/index.ts'
import { text } from './answer.ts'

const SCOPE = 'mcp.scope'
const AT_ONCE = 500 // half of the folders that the reader of git remembers

export class Project {
  /** Where the server was started. */
  readonly folder: string
  readonly #places: Places
  readonly #git: Git

  constructor(places: Places, folder: string) {
    this.#places = places
    this.folder = folder
    const home = homeOf()
    // Files only: git itself is not run.
    this.#git = new Git({ env: process.env, places: { home }, asksGit: () => false })
  }

  /** By what the daemon has in force, so that nothing in the agent's environment changes it. */
  async isOpen(): Promise<boolean> {
    const rows = await call(this.#places, 'config.show')
    return rows.some(({ key, value }) => key === SCOPE && value === 'all')
  }

  /** Its sessions, those that need a person first. */
  async sessions(): Promise<readonly SessionView[]> {
    const all = await call(this.#places, 'sessions.list', { all: true })
    return this.inside(all, ({ root, cwd }) => root ?? cwd)
  }

  /** One of its sessions. One of another project counts as unknown. */
  async session(which: string): Promise<SessionView> {
    const unknown = new GantryError(
      'VALIDATION_ERROR',
      `There is no session "${text(which, 80)}" in this project. The tool "session" without an argument lists them.`,
    )
    const found = await call(this.#places, 'sessions.get', { session: which }).catch((error) => {
      throw error instanceof GantryError && error.code === 'VALIDATION_ERROR' ? unknown : error
    })
    const [inside] = await this.inside([found], ({ root, cwd }) => root ?? cwd)
    if (!inside) throw unknown
    return inside
  }

  /** Items with a folder in the project. */
  async inside<T>(all: readonly T[], folderOf: (one: T) => string | undefined): Promise<readonly T[]> {
    if (await this.isOpen()) return all
    await this.#git.see([this.folder])
    const repository = this.#repositoryOf(this.folder)
    const own = repository ?? this.folder
    const found: T[] = []
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const some = all.slice(from, from + AT_ONCE)
      await this.#git.see(some.map(folderOf))
      found.push(...some.filter((one) => this.#isIn(own, repository, folderOf(one))))
    }
    return found
  }

  /** Another repository below this one is another project. A worktree that was removed is known by its place. */
  #isIn(own: string, repository: string | undefined, folder: string | undefined): boolean {
    if (folder === undefined) return false
    const around = this.#repositoryOf(folder)
    if (around !== undefined) return around === repository
    return folder === own || folder.startsWith(own.endsWith(sep) ? own : own + sep)
  }

  /** The main repository around a folder, whichever of its worktrees that is in. */
  #repositoryOf(folder: string): string | undefined {
    return this.#git.rootsOf(folder).at(-1)
  }
}
