/**
 * Sessions that an agent opened and has not reported yet: a terminal before its first prompt, a resumed session, one
 * started by /clear. Only for agents whose hooks were received, so that later events of the session arrive, too.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { agentFor, type Opened, type PresenceReader } from '../../agents/index.ts'
import { BoundedMap } from '../../core/bounded-map.ts'
import { homeOf } from '../../core/files/paths.ts'
import { readOwn } from '../../core/files/small-file.ts'
import { type Watching, watchPath } from '../../core/files/watch-files.ts'
import { startOf } from '../../core/processes/process-tree.ts'
import { type HookEvent, keyOf } from '../../events/index.ts'
import { openedEvent } from '../../journal/index.ts'
import type { Session } from '../state/index.ts'
import type { Observer, RaisingContext } from './observer.ts'

const MAX_FILE_BYTES = 64 * 1024 // Claude's status is under 1 KB, a list of open sessions a few
const MAX_OPEN = 64 // terminals of one person
const MAX_PLACES = 32 // each costs a system watch, and any hook may name another folder

interface WatchedFolder {
  readonly agent: string
  readonly reader: PresenceReader
  readonly folder: string
  readonly watcher: Watching
  /** Open sessions at the last look. */
  seen: ReadonlyMap<string, number>
}

export class PresenceObserver implements Observer {
  readonly #context: RaisingContext
  /** The one that nobody has asked for longest makes room for another. */
  readonly #places = new BoundedMap<string, WatchedFolder>(MAX_PLACES, ({ watcher }) => watcher.close())

  constructor(context: RaisingContext) {
    this.#context = context
  }

  follow({ agent }: Session, env: HookEvent['client']['env']): void {
    const reader = agentFor(agent).presence
    const folder = reader?.folder(env, homeOf(env))
    if (!reader || folder === undefined) return
    const known = this.#places.get(folder)
    if (known) {
      this.#places.set(folder, known)
      return
    }
    try {
      const watcher = watchPath(
        folder,
        (_kind, name) => {
          if (name === null || name === reader.file) this.#look(place)
        },
        () => this.#places.delete(folder), // the next hook tries again
      )
      const place: WatchedFolder = { agent, reader, folder, watcher, seen: new Map() }
      this.#places.set(folder, place)
      place.seen = openIn(place)
    } catch {
      // a version without such a folder
    }
  }

  /** Also where all of an agent's sessions have ended: one of them may be resumed. */
  resumeAgent(session: Session, env: HookEvent['client']['env']): void {
    this.follow(session, env)
  }

  close(): void {
    for (const { watcher } of this.#places.values()) watcher.close()
    this.#places.clear()
  }

  #look(place: WatchedFolder): void {
    const before = place.seen
    place.seen = openIn(place)
    for (const [sessionId, at] of place.seen)
      if (before.get(sessionId) !== at) this.#opened(place, { sessionId, at })
  }

  #opened(place: WatchedFolder, { sessionId, at }: Opened): void {
    const { agent } = place
    const session = this.#context.session(keyOf({ agent, sessionId }))
    const now = Date.now()
    if (session) {
      if (session.endedAt === undefined || at <= session.endedAt) return
      this.#context.raise(openedEvent(agent, { sessionId, at, source: 'resume' }, now))
      return
    }
    const { cwd, pid } = whereabouts(place, sessionId)
    // A session without a visible process may have been killed long ago.
    if (cwd === undefined || pid === undefined || startOf(pid) === undefined) return
    this.#context.raise(openedEvent(agent, { sessionId, at, source: 'startup', cwd, pid }, now))
  }
}

function openIn({ reader, folder }: WatchedFolder): Map<string, number> {
  const opened = reader.read(readOwn(join(folder, reader.file), MAX_FILE_BYTES) ?? '')
  return new Map(opened.slice(0, MAX_OPEN).map(({ sessionId, at }) => [sessionId, at]))
}

function whereabouts({ reader, folder }: WatchedFolder, sessionId: string): { pid?: number; cwd?: string } {
  const dir = join(folder, reader.placeOf(sessionId))
  try {
    return reader.whereabouts(readdirSync(dir), readOwn(join(dir, reader.about), MAX_FILE_BYTES) ?? '')
  } catch {
    return {}
  }
}
