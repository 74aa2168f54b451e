/**
 * The project of a folder: the longest registered path around it, else around its repository, else around the main
 * repository if the folder is in a linked worktree.
 */
import { isAbsolute, resolve } from 'node:path'
import { isInside } from '../../core/files/paths.ts'
import { RecentMap } from '../../core/recent-map.ts'
import type { ProjectRow } from '../../store/index.ts'

/** The repository around a folder first, then the main repository of its worktree. */
export type RootsOf = (cwd: string) => readonly string[]

const FRESH_MS = 5_000 // a folder rarely becomes a repository or a worktree, and every event asks
const MIN_KNOWN = 500

export function projectAround(
  projects: readonly ProjectRow[],
  cwd: string,
  rootsOf: RootsOf,
): ProjectRow | null {
  if (projects.length === 0) return null
  return (
    longest(projects, cwd) ??
    rootsOf(cwd).reduce<ProjectRow | null>((found, root) => found ?? longest(projects, root), null)
  )
}

/** Caches the answer for a while. */
export function projectFinder(
  projects: () => readonly ProjectRow[],
  rootsOf: RootsOf,
  now: () => number,
): (cwd: string) => ProjectRow | null {
  let known = new RecentMap<string, { at: number; project: ProjectRow | null }>(MIN_KNOWN)
  let from: readonly ProjectRow[] | undefined
  return (cwd) => {
    if (!isAbsolute(cwd)) return null
    const all = projects()
    if (all !== from) known = new RecentMap(MIN_KNOWN) // the list of projects changed
    from = all
    const last = known.get(cwd)
    if (last && now() - last.at < FRESH_MS) return last.project
    const project = projectAround(all, resolve(cwd), rootsOf)
    known.set(cwd, { at: now(), project })
    return project
  }
}

function longest(projects: readonly ProjectRow[], folder: string): ProjectRow | null {
  let found: ProjectRow | null = null
  for (const project of projects) {
    if (isInside(folder, project.path) && project.path.length > (found?.path.length ?? -1)) found = project
  }
  return found
}
