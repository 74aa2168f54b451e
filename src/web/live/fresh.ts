/**
 * The answer to a call, asked again every five seconds while the page is seen. A slow answer is waited for, and the old one
 * stays until then.
 *
 *   const consumers = useFresh('bus.consumers', {})
 *   consumers.data?.map(…)   // consumers.refresh() after an action
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CallArgs, CallName, CallResult } from '../../client/index.ts'
import { type Asked, useCall } from './call.ts'
import { useClock } from './clock.ts'

const EVERY_MS = 5_000

type Fresh<Data> = Asked<Data> & { readonly refresh: () => void }

export function useFresh<Name extends CallName>(
  cmd: Name,
  args: CallArgs<Name> | undefined,
): Fresh<CallResult<Name>> {
  const [again, setAgain] = useState(0)
  const asked = useCall(cmd, args, again)
  const tick = useClock((now) => Math.floor(now / EVERY_MS))
  const isIdle = useRef(false)
  isIdle.current = asked.state !== 'loading'
  const refresh = useCallback(() => setAgain((count) => count + 1), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tick` says when
  useEffect(() => {
    if (isIdle.current) refresh()
  }, [tick, refresh])
  return { ...asked, refresh }
}
