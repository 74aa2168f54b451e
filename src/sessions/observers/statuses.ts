/**
 * Some agents write a status file. It is read whenever its folder changes, and shows what no hook reports: an answered
 * dialog, an interrupted turn, or a turn without a prompt. If hooks will report the same, they get time to do so first.
 */
import { dirname, join } from 'node:path'
import { agentFor, type StatusReader } from '../../agents/index.ts'
import { homeOf } from '../../core/files/paths.ts'
import { readOwn } from '../../core/files/small-file.ts'
import { type Watching, watchPath } from '../../core/files/watch-files.ts'
import { Timers } from '../../core/time/timers.ts'
import type { HookEvent } from '../../events/index.ts'
import { inferredEvent, resolvedEvent } from '../../journal/index.ts'
import {
  type Attention,
  healByStatus,
  isWaitedFor,
  type ReportedStatus,
  type Session,
} from '../state/index.ts'
import type { Observer, ObserverContext } from './observer.ts'

const MAX_FILE_BYTES = 64 * 1024 // Claude's status is under 1 KB, a list of open sessions a few
const WHOLE_MS = 10 // a file that is being written is read once more
const HOOK_FIRST_MS = 100 // a prompt makes an agent busy a moment before its hook has run
const STEADY_MS = 20 // between a turn and one that was queued, an agent looks idle for a moment

interface Followed {
  readonly key: string
  readonly pid: number
  readonly path: string
  readonly reader: StatusReader
  reported: ReportedStatus | undefined
}

type Context = Pick<ObserverContext, 'session' | 'raise' | 'isHeld'>

export class StatusObserver implements Observer {
  readonly #context: Context
  readonly #sessions = new Map<string, Followed>()
  /** By path: a process has one file for all of its sessions. */
  readonly #files = new Map<string, Followed>()
  readonly #folders = new Map<string, Watching>()
  readonly #later = new Timers()

  constructor(context: Context) {
    this.#context = context
  }

  follow(session: Session, env: HookEvent['client']['env']): void {
    const reader = agentFor(session.agent).status
    if (!reader || session.pid === undefined) return
    const known = this.#sessions.get(session.key)
    if (session.endedAt !== undefined) {
      if (known) this.#forget(known)
      return
    }
    if (known?.pid === session.pid) return
    if (known) this.#forget(known)
    const path = reader.path(env, homeOf(env), session.pid)
    if (!this.#watchFolder(dirname(path))) return
    const { key, pid } = session
    const file = { key, pid, path, reader, reported: reportedIn(path, reader, session.id) }
    this.#sessions.set(key, file)
    this.#files.set(path, file)
  }

  close(): void {
    for (const watcher of this.#folders.values()) watcher.close()
    this.#folders.clear()
    this.#files.clear()
    this.#sessions.clear()
    this.#later.close()
  }

  #watchFolder(folder: string): boolean {
    if (this.#folders.has(folder)) return true
    try {
      const changed = (_kind: string, name: string | null) => {
        const file = name === null ? undefined : this.#files.get(join(folder, name))
        for (const one of name === null ? this.#files.values() : file ? [file] : []) this.#look(one)
      }
      const failed = () => void this.#folders.delete(folder) // the next hook tries again
      this.#folders.set(folder, watchPath(folder, changed, failed))
      return true
    } catch {
      return false // a version without such a folder
    }
  }

  #look(file: Followed, again = true): void {
    const session = this.#context.session(file.key)
    const reported = session && reportedIn(file.path, file.reader, session.id)
    if (session && !reported && again) this.#later.add(WHOLE_MS, () => this.#look(file, false))
    if (
      !session ||
      !reported ||
      (reported.status === file.reported?.status && reported.at === file.reported.at)
    )
      return
    const before = file.reported
    file.reported = reported
    const healed = healByStatus(session, before, reported, (one) => this.#isHidden(session, one))
    if (!healed) return
    if ('type' in healed) {
      const waitMs = healed.type === 'TurnObserved' ? HOOK_FIRST_MS : STEADY_MS
      this.#later.add(waitMs, () => this.#confirm(file, before, reported))
      return
    }
    const reason = `status: ${reported.status} after the dialog`
    for (const { tool = '', call } of healed)
      if (call !== undefined) this.#context.raise(resolvedEvent(session, tool, call, reason, Date.now()))
  }

  /** Its dialog is still to come: a background sub-agent's request is shown only after its hook has ended. */
  #isHidden(session: Session, { agentId }: Attention): boolean {
    return !isWaitedFor(session, agentId) && this.#context.isHeld(session.key, agentId)
  }

  #confirm(file: Followed, before: ReportedStatus | undefined, reported: ReportedStatus): void {
    const session = this.#context.session(file.key)
    if (!session || file.reported !== reported || this.#files.get(file.path) !== file) return
    const healed = healByStatus(session, before, reported)
    if (healed && 'type' in healed) this.#context.raise(inferredEvent(session, healed, Date.now()))
  }

  #forget(file: Followed): void {
    this.#sessions.delete(file.key)
    if (this.#files.get(file.path) === file) this.#files.delete(file.path)
    const folder = dirname(file.path)
    if ([...this.#files.keys()].some((path) => dirname(path) === folder)) return
    this.#folders.get(folder)?.close()
    this.#folders.delete(folder)
  }
}

function reportedIn(path: string, reader: StatusReader, sessionId: string): ReportedStatus | undefined {
  const status = reader.read(readOwn(path, MAX_FILE_BYTES) ?? '')
  return status?.sessionId === sessionId ? { status: status.status, at: status.at } : undefined
}
