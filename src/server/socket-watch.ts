/**
 * Looks after the daemon's own socket, and the files beside it that say where the daemon is. Cleaners of temporary folders
 * remove them, also while they are made again, and a daemon nobody can reach is no use.
 * Hook clients that waited in vain mark it, and then nobody waits any more: a daemon that reads this goes on, so it takes what
 * went to the spool meanwhile, and then removes the mark.
 */
import { chmodSync, lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { DECIDER_GAVE_UP_MODE, OBSERVER_GAVE_UP_MODE, SOCKET_MODE } from '../client/wire.ts'
import { messageOf } from '../core/errors.ts'
import { watchPath } from '../core/files/watch-files.ts'
import type { Log } from '../core/log.ts'

export interface SocketWatchOptions {
  readonly path: string
  readonly log: Log
  /** Whether the files beside it are there. */
  hasOthers(): boolean
  /** Makes again what is missing, in a folder that may be another one; false when that is of no use. */
  restore(): boolean
  /** Before clients wait again. */
  catchUp(): Promise<unknown>
}

export interface SocketWatch {
  close(): void
}

const LOOK_MS = 2_000 // for what the folder watch missed
const CATCH_UP_MS = 1_000 // older events first, but agents must not do without decisions for long

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
      await Promise.race([options.catchUp(), Bun.sleep(CATCH_UP_MS)])
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
