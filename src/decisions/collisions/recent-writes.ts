/**
 * Who wrote which file lately: a bounded index in memory. A file is found by its path, and by its repository and the path inside,
 * which is the same in each worktree.
 *
 *   writes.add({ session, path, inside: { id, path: 'src/a.ts', … }, at, tool })
 *   writes.of('/work/app/src/a.ts')          // newest first, one of each writer
 */
import { BoundedMap } from '../../core/bounded-map.ts'

export interface Write {
  /** The writer's key. */
  readonly session: string
  /** The sub-agent that wrote it. */
  readonly agentId?: string
  readonly at: number
  readonly tool: string
  /** Absolute on this host; of another host, the path inside the repository. */
  readonly path: string
  readonly inside?: Inside
  /** Another host, with what it says about the writer. */
  readonly remote?: { readonly host: string; readonly name: string; readonly agent: string }
}

export interface Inside {
  /** Of the repository. */
  readonly id: string
  readonly path: string
  /** The worktree; unknown on another host. */
  readonly root?: string
  readonly isShared: boolean
}

const MAX_FILES = 5_000
const MAX_WRITERS = 4 // of one file
const MAX_SESSIONS = 1_000
const MAX_OF_SESSION = 20
const MAX_REPOSITORIES = 1_000
const ANYWHERE = ''

export class RecentWrites {
  /** By file, the least recently written first; each newest first. */
  readonly #files = new BoundedMap<string, readonly Write[]>(MAX_FILES)
  /** By session, newest first; each file once. */
  readonly #sessions = new BoundedMap<string, readonly Write[]>(MAX_SESSIONS)
  /** By repository, and anywhere: when each writer wrote last, the latest at the end. */
  readonly #writers = new BoundedMap<string, Map<string, number>>(MAX_REPOSITORIES)

  /** In any order: other hosts, and the journal at a start, tell of a write later than it was made. */
  add(write: Write): void {
    const writer = writerOf(write)
    for (const key of keysOf(write)) {
      const latest = merged(this.of(key), write, (one) => writerOf(one) === writer)
      this.#files.set(key, latest.slice(0, MAX_WRITERS))
    }
    const own = merged(this.by(write.session), write, ({ path }) => path === write.path)
    this.#sessions.set(write.session, own.slice(0, MAX_OF_SESSION))
    for (const where of wheresOf(write)) {
      const writers = this.#writers.get(where) ?? new BoundedMap<string, number>(MAX_SESSIONS)
      this.#writers.set(where, writers)
      writers.set(writer, Math.max(write.at, writers.get(writer) ?? 0))
    }
  }

  /** Newest first, one of each writer. */
  of(file: string): readonly Write[] {
    return this.#files.get(file) ?? []
  }

  /** The last files of a session, newest first. */
  by(session: string): readonly Write[] {
    return this.#sessions.get(session) ?? []
  }

  /** Whether somebody else wrote in this repository, or anywhere. Forgets who wrote there before `since`. */
  hasOthers(repository: string | undefined, me: Pick<Write, 'session' | 'agentId'>, since: number): boolean {
    const writers = this.#writers.get(repository ?? ANYWHERE)
    if (!writers) return false
    for (const [writer, at] of writers) {
      if (at >= since) break
      writers.delete(writer)
    }
    return writers.size > (writers.has(writerOf(me)) ? 1 : 0)
  }

  all(): Write[] {
    return [...this.#sessions.values()].flat()
  }

  /** Forgets all that a session wrote. */
  forget(session: string): void {
    for (const write of this.by(session)) {
      for (const key of keysOf(write)) {
        const left = this.of(key).filter((one) => one.session !== session)
        if (left.length === 0) this.#files.delete(key)
        else this.#files.set(key, left)
      }
      for (const where of wheresOf(write)) this.#writers.get(where)?.delete(writerOf(write))
    }
    this.#sessions.delete(session)
  }
}

/** The key of a file inside a repository; no path has a NUL. */
export function keyInside({ id, path }: Pick<Inside, 'id' | 'path'>): string {
  return `${id}\0${path}`
}

function keysOf({ path, inside, remote }: Write): string[] {
  return [...(remote ? [] : [path]), ...(inside ? [keyInside(inside)] : [])]
}

function wheresOf({ inside }: Write): string[] {
  return inside ? [ANYWHERE, inside.id] : [ANYWHERE]
}

function writerOf({ session, agentId = '' }: Pick<Write, 'session' | 'agentId'>): string {
  return `${session}\n${agentId}`
}

/** Newest first; of those that are the same, the latest. */
function merged(writes: readonly Write[], write: Write, isSame: (one: Write) => boolean): Write[] {
  const known = writes.find(isSame)
  const latest = known && known.at > write.at ? known : write
  return [latest, ...writes.filter((one) => !isSame(one))].sort((a, b) => b.at - a.at)
}
