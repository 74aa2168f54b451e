/**
 * Calls of the daemon from the page, with the types of the command line's own. The daemon answers a part of them here:
 * reading, and what can be taken back.
 *
 *   const { cause } = await call('sessions.why', { session: key })
 */
import { useEffect, useState } from 'react'
import type { CallArgs, CallName, CallResult } from '../../client/index.ts'
import { errorOf } from '../../core/errors.ts'

/** The daemon's refusal, in its words. */
export class CallError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
    this.name = 'CallError'
  }
}

/** No daemon answered. */
export const AWAY = 'AWAY'

export function call<Name extends CallName>(
  cmd: Name,
  args: CallArgs<Name>,
  signal?: AbortSignal,
): Promise<CallResult<Name>> {
  return post('/api/call', { cmd, args }, signal) as Promise<CallResult<Name>>
}

const AHEAD_MS = 10_000 // a view that comes later asks for what is true then
const ahead = new Map<string, { readonly answer: Promise<unknown>; readonly until: number }>()

/** For a view that is not loaded yet: its own `useCall` with these arguments gets this answer, once. */
export function callAhead<Name extends CallName>(cmd: Name, args: CallArgs<Name>): void {
  const answer = call(cmd, args)
  answer.catch(() => {}) // its taker gets the error
  ahead.set(`${cmd} ${JSON.stringify(args)}`, { answer, until: performance.now() + AHEAD_MS })
}

function takeAhead<Name extends CallName>(cmd: Name, key: string): Promise<CallResult<Name>> | undefined {
  const found = ahead.get(`${cmd} ${key}`)
  ahead.delete(`${cmd} ${key}`)
  return found && performance.now() < found.until ? (found.answer as Promise<CallResult<Name>>) : undefined
}

/** For the page's own addresses: the answer's data, or a `CallError`. */
export async function post(path: string, body: object, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gantry-page': '1' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw away()
  })
  const said = (await answer.json().catch(() => undefined)) as Envelope | undefined
  if (said?.ok === true) return said.data
  if (answer.status === 401)
    throw new CallError('SIGNED_OUT', 'This page is not signed in any more. Run: gantry web')
  if (answer.ok && said === undefined) throw away() // it ended while it answered
  throw new CallError(said?.error ?? String(answer.status), said?.message ?? `HTTP ${answer.status}`)
}

function away(): CallError {
  return new CallError(AWAY, 'The daemon does not answer. The page tries again by itself.')
}

interface Envelope {
  readonly ok: boolean
  readonly data?: unknown
  readonly error?: string
  readonly message?: string
}

/** Undefined if no daemon answers. */
export async function isSignedIn(): Promise<boolean | undefined> {
  return call('status', {}).then(
    () => true,
    (error: unknown) => (error instanceof CallError && error.code === AWAY ? undefined : !isSignedOut(error)),
  )
}

function isSignedOut(error: unknown): boolean {
  return error instanceof CallError && error.code === 'SIGNED_OUT'
}

export type Asked<Data> =
  | { readonly state: 'loading'; readonly data?: Data }
  | { readonly state: 'done'; readonly data: Data }
  | { readonly state: 'failed'; readonly error: Error; readonly data?: Data }

/**
 * The answer to a call, asked again when its arguments or `again` change; the old answer stays until then. Without
 * arguments nothing is asked.
 */
export function useCall<Name extends CallName>(
  cmd: Name,
  args: CallArgs<Name> | undefined,
  again: unknown = 0,
): Asked<CallResult<Name>> {
  const [asked, setAsked] = useState<Asked<CallResult<Name>>>({ state: 'loading' })
  const key = args === undefined ? undefined : JSON.stringify(args)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is `args` by value, and `again` says when to ask anew
  useEffect(() => {
    if (key === undefined) return
    const end = new AbortController()
    setAsked(({ data }) => ({ state: 'loading', ...(data === undefined ? {} : { data }) }))
    const answer = takeAhead(cmd, key) ?? call(cmd, JSON.parse(key) as CallArgs<Name>, end.signal)
    answer.then(
      (data) => end.signal.aborted || setAsked({ state: 'done', data }),
      (error: unknown) => {
        if (end.signal.aborted) return
        setAsked(({ data }) => ({
          state: 'failed',
          error: errorOf(error),
          ...(data === undefined ? {} : { data }),
        }))
      },
    )
    return () => end.abort()
  }, [cmd, key, again])
  return asked
}
