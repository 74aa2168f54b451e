/**
 * Looks after the daemon's own socket. Cleaners of temporary folders remove it, and a daemon nobody can reach is no use.
 * Hook clients that waited in vain mark it, and then nobody waits any more: a daemon that reads this goes on, so it takes what
 * went to the spool meanwhile, and then removes the mark.
 */
import { chmodSync, lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { DECIDER_GAVE_UP_MODE, OBSERVER_GAVE_UP_MODE, SOCKET_MODE } from '../client/wire.ts'
import { messageOf } from '../errors.ts'
import type { Log } from './log.ts'
import { watchPath } from './watching.ts'

export interface SocketWatchOptions {
  readonly path: string
  readonly log: Log
  /** Makes it again, in a folder that may be another one; false when that is of no use. */
  restore(): boolean
  /** Before clients wait again. */
  catchUp(): Promise<unknown>
}

export interface SocketWatch {
  close(): void
}

const LOOK_MS = 2_000 // for a mark that the folder watch missed
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

  const watchFolder = () =>
    watchPath(dirname(path), () => {
      if (look() || !options.restore()) return
      watcher.close()
      watcher = watchFolder()
    })
  let watcher = watchFolder()
  const timer = setInterval(look, LOOK_MS)
  return {
    close() {
      clearInterval(timer)
      watcher.close()
    },
  }
}
