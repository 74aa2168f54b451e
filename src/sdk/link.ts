/**
 * The connection to one daemon: calls, reconnecting, and ending everything that waits on close. A call that may have
 * reached the daemon is never repeated; waiting for the daemon only delays the first delivery.
 */
import { callByName } from '../client/connection.ts'
import { isDown, restartPause, type Through } from '../client/restarts.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/files/paths.ts'
import type { CallArgs, CallName, CallResult } from '../rpc/index.ts'

export interface Waiting {
  /** Waits for a daemon that is down instead of throwing DAEMON_AWAY. */
  readonly wait?: boolean | undefined
  /** Aborts the wait: a call throws the signal's reason, a loop ends. */
  readonly signal?: AbortSignal | undefined
}

export interface CallOptions extends Waiting {
  /** Deadline of the answer, once the call was sent; default 30 s. */
  readonly deadlineMs?: number | undefined
}

export interface Link {
  readonly places: Places
  readonly wait: boolean
  /** Aborts when the link is closed or its creator aborts it. */
  readonly closed: AbortSignal
  readonly told: (state: 'here' | 'away') => void
}

export interface AskOptions extends CallOptions {
  /** Read-only calls may be repeated after a lost answer. */
  readonly isRead?: boolean
}

export async function askDaemon<Name extends CallName>(
  link: Link,
  name: Name,
  args: CallArgs<Name>,
  options?: AskOptions,
): Promise<CallResult<Name>> {
  return (await askByName(link, name, args, options)) as CallResult<Name>
}

export async function askByName(
  link: Link,
  name: string,
  args: object,
  options: AskOptions = {},
): Promise<unknown> {
  const { wait = link.wait, deadlineMs, isRead = false } = options
  const { signal, release } = eitherSignal(link.closed, options.signal)
  try {
    for (let failures = 1; ; failures++) {
      try {
        const limits = { signal, ...(deadlineMs === undefined ? {} : { deadlineMs }) }
        return await callByName(link.places, name, args, limits)
      } catch (error) {
        signal.throwIfAborted()
        if (!wait || !isDown(error) || (wasSent(error) && !isRead)) throw error
        await restartPause(failures, signal)
        signal.throwIfAborted()
      }
    }
  } finally {
    release()
  }
}

/** Continues through restarts of the daemon, until the link is closed or the caller aborts it. */
export async function* lasting<T>(
  link: Link,
  { wait = link.wait, signal: asked }: Waiting,
  follow: (through: Through) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const { signal, release } = eitherSignal(link.closed, asked)
  try {
    yield* follow({ wait, signal, told: link.told })
  } finally {
    release()
  }
}

function wasSent(error: unknown): boolean {
  if (!(error instanceof GantryError)) return false
  const { sent } = (error.details ?? {}) as { sent?: unknown }
  return error.code === 'DEADLINE' || sent === true
}

/**
 * Aborts with the first of them. AbortSignal.any came after Node 20.0; and no listener may stay on a long-lived signal.
 */
function eitherSignal(
  first: AbortSignal,
  second: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly release: () => void } {
  if (!second) return { signal: first, release() {} }
  const either = new AbortController()
  const leave = [first, second].map((signal) => {
    const abort = () => either.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
    return () => signal.removeEventListener('abort', abort)
  })
  return { signal: either.signal, release: () => leave.forEach((remove) => void remove()) }
}
