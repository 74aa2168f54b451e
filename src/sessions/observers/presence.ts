/**
 * Sessions that an agent opened and has not reported yet: a terminal before its first prompt, a resumed session, one
 * started by /clear. Only for agents whose hooks were received, so that later events of the session arrive, too.
 */

import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { agentFor, type Opened, type PresenceReader } from '../../agents/index.ts'
import { readOwn } from '../../core/files/small-file.ts'
import { type Watching, watchPath } from '../../core/files/watch-files.ts'
import { startOf } from '../../core/processes/process-tree.ts'
import type { HookEvent } from '../../events/index.ts'
import { openedEvent } from '../../journal/index.ts'
import type { Session } from '../state/index.ts'
import type { Observer, RaisingContext } from './observer.ts'

const MAX_FILE_BYTES = 64 * 1024 // Claude's status is under 1 KB, a list of open sessions a few
const MAX_OPEN = 64 // terminals of one person
const MAX_PLACES = 32 // each costs a system watch, and any hook may name another folder

interface Place {
  readonly agent: string
  readonly reader: PresenceReader
  readonly folder: string
  readonly watcher: Watching
  /** Open sessions at the last look. */
  seen: ReadonlyMap<string, number>
}

export class PresenceObserver implements Observer {
  readonly #context: RaisingContext
  readonly #places = new Map<string, Place>()

  constructor(context: RaisingContext) {
    this.#context = context
  }

  follow({ agent }: Session, env: HookEvent['client']['env']): void {
    const reader = agentFor(agent).presence
    const folder = reader?.folder(env, env.HOME ?? homedir())
    if (!reader || folder === undefined || this.#isWatched(folder)) return
    try {
      const watcher = watchPath(
        folder,
        (_kind, name) => {
          if (name === null || name === reader.file) this.#look(place)
        },
        () => this.#places.delete(folder), // the next hook tries again
      )
      const place: Place = { agent, reader, folder, watcher, seen: new Map() }
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

  /** The one that nobody has asked for longest makes room for another. */
  #isWatched(folder: string): boolean {
    const place = this.#places.get(folder)
    if (place) {
      this.#places.delete(folder)
      this.#places.set(folder, place)
      return true
    }
    const [oldest] = this.#places.size >= MAX_PLACES ? this.#places.keys() : []
    if (oldest !== undefined) {
      this.#places.get(oldest)?.watcher.close()
      this.#places.delete(oldest)
    }
    return false
  }

  close(): void {
    for (const { watcher } of this.#places.values()) watcher.close()
    this.#places.clear()
  }

  #look(place: Place): void {
    const before = place.seen
    place.seen = openIn(place)
    for (const [sessionId, at] of place.seen)
      if (before.get(sessionId) !== at) this.#opened(place, { sessionId, at })
  }

  #opened(place: Place, { sessionId, at }: Opened): void {
    const { agent } = place
    const session = this.#context.session(`${agent}:${sessionId}`)
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

function openIn({ reader, folder }: Place): Map<string, number> {
  const opened = reader.read(readOwn(join(folder, reader.file), MAX_FILE_BYTES) ?? '')
  return new Map(opened.slice(0, MAX_OPEN).map(({ sessionId, at }) => [sessionId, at]))
}

function whereabouts({ reader, folder }: Place, sessionId: string): { pid?: number; cwd?: string } {
  const dir = join(folder, reader.placeOf(sessionId))
  try {
    return reader.whereabouts(readdirSync(dir), readOwn(join(dir, reader.about), MAX_FILE_BYTES) ?? '')
  } catch {
    return {}
  }
}
