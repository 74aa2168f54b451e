/** The status of the connection to NATS, for `gantry bus status`, `gantry status` and `gantry doctor`. */

import { age, counted } from '../../core/text/text.ts'
import type { StreamName } from '../streams/index.ts'
import type { BusProblem } from './problem.ts'

export interface StreamStatus {
  readonly name: StreamName
  readonly exists: boolean
  /** How it differs from what gantry would have created; empty if it does not. */
  readonly differs: readonly string[]
  readonly messages: number
  /** Messages that are not delivered yet. */
  readonly backlog: number
  /** Age of the oldest of them. */
  readonly lagMs: number
  readonly deadLetters: number
  /** Deleted here before they could be delivered. */
  readonly missed: number
  readonly lastError: string | null
  /** A past incident that is over. */
  readonly note: string | null
}

export interface NatsStatus {
  readonly mode: 'off' | 'managed' | 'external'
  /** Why it is off. */
  readonly why: string | null
  readonly connected: boolean
  readonly url: string | null
  readonly serverVersion: string | null
  /** Pid of the server that gantry runs. */
  readonly serverPid: number | null
  readonly problem: string | null
  readonly streams: readonly StreamStatus[]
}

const BACKLOG_MESSAGES = 1_000
const LAG_MS = 60_000 // a shorter outage is not worth a line

/** Problems that a person should know about. */
export function streamProblems({
  name,
  differs,
  backlog,
  lagMs,
  deadLetters,
  missed,
  note,
}: StreamStatus): BusProblem[] {
  const found: BusProblem[] = []
  const warn = (message: string, fix?: string) =>
    found.push({ level: 'warn', message, ...(fix ? { fix } : {}) })
  if (differs.length > 0) {
    warn(
      `the stream ${name} has other settings than gantry would give it, and is left alone: ${differs.join('; ')}`,
      `If nobody wants it so: nats stream rm ${name}. gantry makes it again, with what it held.`,
    )
  }
  if (backlog > BACKLOG_MESSAGES || (backlog > 0 && lagMs > LAG_MS)) {
    warn(
      `${counted(backlog, 'message waits', 'messages wait')} to be published to ${name}, the oldest for ${age(lagMs)}; nothing is lost`,
    )
  }
  if (deadLetters > 0) {
    warn(
      `${counted(deadLetters, 'message')} of ${name} ${were(deadLetters)} not taken by NATS`,
      'See: gantry bus dead-letters. Then --requeue them once the reason is gone, or --drop them.',
    )
  }
  if (missed > 0) {
    warn(
      `${counted(missed, 'message')} of ${name} ${were(missed)} deleted by retention before NATS could have them`,
      'Raise retention.max_days or retention.max_mb if NATS is down that long.',
    )
  }
  if (note) warn(`the stream ${name}: ${note}`)
  return found
}

const were = (count: number) => (count === 1 ? 'was' : 'were')
