/** Problems of the streams' readers, with their fixes. */
import { counted } from '../core/text/text.ts'
import type { Finding } from '../rpc/index.ts'
import type { Subscriptions } from './index.ts'

const STALLED_MS = 60_000 // a pager that somebody left open reads nothing either; for a minute that is fine

export function readerFindings(subscriptions: Subscriptions): Finding[] {
  const stalled = subscriptions.stalled(STALLED_MS)
  const found = subscriptions.consumers.troubled().map(({ name, stream, problem, open }): Finding => {
    const fix = `Or forget it with: gantry bus consumers --delete ${name} --stream ${stream}`
    if (problem === 'stuck') {
      const message = `the consumer "${name}" acknowledges nothing: it gets ${counted(open, 'message')} again and again`
      return {
        level: 'warn',
        about: 'bus',
        message,
        fix: `Have it send {"ack":[seq]} for each message. ${fix}`,
        kind: problem,
      }
    }
    const message = `the consumer "${name}" is away, and messages leave ${stream} before it has read them`
    return { level: 'warn', about: 'bus', message, fix: `Start its program again. ${fix}`, kind: problem }
  })
  if (stalled === 0) return found
  const message = `${stalled} ${stalled === 1 ? 'reader' : 'readers'} of the bus took nothing for over a minute; nothing is kept for them`
  return [...found, { level: 'warn', about: 'bus', message, fix: 'End the programs that do not read.' }]
}
