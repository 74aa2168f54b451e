/** Files that a window should see but has not: directives near what it touched. */
import { basename } from 'node:path'
import { factsOf } from '../../agents/facts.ts'
import type { EffortRow, WorkSessionRow } from '../../store/index.ts'

const MAX_DIRECTIVES = 100 // per effort

/** The part of them that one answer carries. */
export interface Preloaded {
  readonly texts: readonly string[]
  readonly paths: readonly string[]
}

const NONE: readonly string[] = []

export function loadsItself(agent: string, path: string): boolean {
  return factsOf(agent).ownFiles?.includes(basename(path)) ?? false
}

export function directivesFor(effort: EffortRow, agent: string): readonly string[] {
  return effort.discoveredDirectives.filter((path) => !loadsItself(agent, path))
}

export function pendingPreloads(effort: EffortRow, window: WorkSessionRow): readonly string[] {
  if (effort.discoveredDirectives.length === 0) return NONE
  const loaded = new Set(window.loadedFiles)
  return directivesFor(effort, window.agent).filter((path) => !loaded.has(path))
}

/** The effort's list plus the new ones, up to the limit; undefined if nothing changes. */
export function withDirectives(effort: EffortRow, found: readonly string[]): readonly string[] | undefined {
  const { discoveredDirectives: known } = effort
  const merged = [...new Set([...known, ...found])].slice(0, Math.max(known.length, MAX_DIRECTIVES))
  return merged.length === known.length ? undefined : merged
}
