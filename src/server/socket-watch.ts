/**
 * Watches the daemon's socket and the files beside it that say where the daemon is, and restores them: cleaners of
 * temporary folders remove them, and then nobody can reach the daemon. A hook client that timed out sets
 * a mark, so that others like it do not wait, too. A daemon that sees the mark takes the events spooled meanwhile, then removes the mark.
 */
import { chmodSync, lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { DECIDER_GAVE_UP_MODE, OBSERVER_GAVE_UP_MODE, SOCKET_MODE } from '../client/wire.ts'
import { messageOf } from '../core/errors.ts'
import { watchPath } from '../core/files/watch-files.ts'
import type { Log } from '../core/log.ts'
import { within } from '../core/time/waits.ts'

interface SocketWatchOptions {
  readonly path: string
  readonly log: Log
  /** Whether the files beside it exist. */
  hasOthers(): boolean
  /** Recreates what is missing, possibly in a new folder; false if that is pointless. */
  restore(): boolean
  /** Called before clients wait again. */
  catchUp(): Promise<unknown>
}

interface SocketWatch {
  close(): void
}

const LOOK_MS = 2_000 // polling, for what the folder watch missed
const CATCH_UP_MS = 1_000 // older events first, but agents need decisions again soon

const GAVE_UP: ReadonlySet<number> = new Set([OBSERVER_GAVE_UP_MODE, DECIDER_GAVE_UP_MODE])

export function watchSocket(options: SocketWatchOptions): SocketWatch {
  const { path, log } = options
  let isReturning = false

  const look = () => {
    const socket = lstatSync(path, { throwIfNoEntry: false })
    if (!socket) return false
    if (GAVE_UP.has(socket.mode & 0o777) && !isReturning) void goOn()
    return true
  }

  const goOn = async () => {
    isReturning = true
    log.warn('door', 'hook clients had stopped waiting for an answer; from now on they wait again')
    try {
      await within(options.catchUp(), CATCH_UP_MS)
      chmodSync(path, SOCKET_MODE)
    } catch (error) {
      log.warn('door', `clients still do not wait for answers: ${messageOf(error)}`)
    }
    isReturning = false
  }

  const check = () => {
    if ((look() && options.hasOthers()) || !options.restore()) return
    watcher.close()
    watcher = watchPath(dirname(path), check)
  }
  let watcher = watchPath(dirname(path), check)
  const timer = setInterval(check, LOOK_MS)
  return {
    close() {
      clearInterval(timer)
      watcher.close()
    },
  }
}
