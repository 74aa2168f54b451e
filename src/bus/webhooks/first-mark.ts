/**
 * A new webhook begins with what comes next. The daemon writes down where that is before anything is sent: one that is
 * killed, or whose background thread fails, goes on from there.
 */
import type { Store } from '../../store/index.ts'
import type { LastSeqs, StreamName } from '../streams/index.ts'

/** Of the marks and letters of a webhook. */
export const targetOf = (name: string) => `webhook:${name}`

export function writeFirstMarks(
  { deliveries, journal }: Pick<Store, 'deliveries' | 'journal'>,
  webhooks: readonly { readonly name: string; readonly stream: StreamName }[],
  last: LastSeqs,
): void {
  const fresh = webhooks.filter(({ name, stream }) => deliveries.mark(targetOf(name), stream) === undefined)
  if (fresh.length === 0) return
  journal.relaxed(() => {
    for (const { name, stream } of fresh) deliveries.setMark(targetOf(name), stream, last[stream], Date.now())
  })
}
