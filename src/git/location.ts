/** Where a session works: project, branch and worktree, as people call them. */
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { type Head, projectName, type Repository } from './files.ts'

export interface Place {
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

export function placeIn(cwd: string | undefined, repository?: Repository, head: Head = {}): Place {
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

export function isSamePlace(a: Place, b: Place): boolean {
  return a.project === b.project && a.root === b.root && a.branch === b.branch && a.worktree === b.worktree
}

/** The repository itself and, for a linked worktree, its main repository. */
export function rootsIn(repository: Repository | undefined): string[] {
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
