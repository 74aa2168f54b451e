/** Where a session works: its project, branch and worktree, as people call them. */
import { hostname } from 'node:os'
import { basename, dirname } from 'node:path'
import { type Head, projectName, type Repository } from './git-files.ts'

export interface Place {
  readonly host: string
  /** Name of the repository, or of the folder where there is none. */
  readonly project?: string
  readonly root?: string
  readonly branch?: string
  /** Name of the linked worktree, if it is one. */
  readonly worktree?: string
}

const HOST = hostname()
const SHORT_HASH = 12

export function placeIn(cwd: string | undefined, repository?: Repository, head: Head = {}): Place {
  if (cwd === undefined) return { host: HOST }
  if (!repository) return { host: HOST, project: basename(cwd) }
  const worktree = worktreeOf(repository)
  const branch = branchOf(head)
  return {
    host: HOST,
    project: worktree === undefined ? projectName(repository) : basename(dirname(repository.commonDir)),
    root: repository.root,
    ...(worktree === undefined ? {} : { worktree }),
    ...(branch === undefined ? {} : { branch }),
  }
}

export function isSamePlace(a: Place, b: Place): boolean {
  return a.project === b.project && a.root === b.root && a.branch === b.branch && a.worktree === b.worktree
}

/** The repository around a folder, and the one it is a linked worktree of. */
export function rootsIn(repository: Repository | undefined): string[] {
  if (!repository) return []
  const { root, commonDir } = repository
  return worktreeOf(repository) === undefined ? [root] : [root, dirname(commonDir)]
}

/** A linked worktree has its files in `<repository>/.git/worktrees/<name>`. */
function worktreeOf({ gitDir, commonDir }: Repository): string | undefined {
  const isLinked = basename(commonDir) === '.git' && dirname(gitDir) === `${commonDir}/worktrees`
  return isLinked ? basename(gitDir) : undefined
}

function branchOf({ branch, commit }: Head): string | undefined {
  return branch === 'HEAD' ? commit?.slice(0, SHORT_HASH) : branch
}
