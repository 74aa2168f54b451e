/** Pages of a session's events, newest first, which grow at both ends. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CallResult, SessionView } from '../../../client/index.ts'
import { errorOf } from '../../../core/errors.ts'
import { call } from '../../live/call.ts'
import { useThrottled } from '../data.ts'

type Page = CallResult<'events.page'>
export type Listed = Page['events'][number]

interface Pages {
  /** Newest first. */
  readonly events: readonly Listed[]
  readonly older: boolean
  readonly newer: boolean
  readonly error: Error | undefined
  readonly isLoading: boolean
  readonly loadOlder: () => void
  readonly loadNewer: () => void
}

interface State {
  readonly events: readonly Listed[]
  readonly from: number
  readonly to: number
  readonly older: boolean
  readonly newer: boolean
}

const PAGE = 200
const NEWER_MS = 1_000

export function usePages(session: SessionView, at: number | undefined): Pages {
  const [state, setState] = useState<State>()
  const [error, setError] = useState<Error>()
  const busy = useRef(false)
  const [first] = useState(at) // a later selection is among what is shown
  const load = useCallback(
    async (where: { at?: number; before?: number; after?: number }) => {
      if (busy.current) return
      busy.current = true
      try {
        const page = await call('events.page', { session: session.id, limit: PAGE, ...where })
        setError(undefined)
        setState((now) => joined(now, page, where))
      } catch (cause) {
        setError(errorOf(cause))
      } finally {
        busy.current = false
      }
    },
    [session.id],
  )
  useEffect(() => void load(first === undefined ? {} : { at: first }), [load, first])
  // What is new comes by itself, if the newest page is shown.
  const newest = useThrottled(session.cause?.seq ?? 0, NEWER_MS)
  const isAtEnd = state !== undefined && !state.newer
  const to = state?.to ?? 0
  useEffect(() => {
    if (isAtEnd && newest > to) void load({ after: to })
  }, [isAtEnd, newest, to, load])
  return {
    events: state?.events ?? [],
    older: state?.older ?? false,
    newer: state?.newer ?? false,
    error,
    isLoading: state === undefined && error === undefined,
    loadOlder: () => state?.older && void load({ before: state.from }),
    loadNewer: () => state?.newer && void load({ after: state.to }),
  }
}

function joined(now: State | undefined, page: Page, where: { before?: number; after?: number }): State {
  const events = page.events.toReversed()
  if (!now) return { ...page, events }
  if (where.before !== undefined)
    return {
      ...now,
      events: [...now.events, ...events],
      from: Math.min(now.from, page.from),
      older: page.older,
    }
  return { ...now, events: [...events, ...now.events], to: Math.max(now.to, page.to), newer: page.newer }
}
