/** What travels on the socket besides hook frames: calls and their envelope, and subscriptions. */
import type { ErrorCode } from '../errors.ts'
import type { HookEvent } from '../events/index.ts'

export type { SessionView } from '../sessions/index.ts'

export type Envelope =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: ErrorCode; readonly message: string; readonly details?: unknown }

/** An event as JSON; `rawBase64` stands in for `raw` when the payload was not valid UTF-8. */
export type WireEvent = Omit<HookEvent, 'raw'> & { readonly raw?: string; readonly rawBase64?: string }

export interface EventQuery {
  readonly session?: string
  readonly type?: string
  readonly agent?: string
  /** UTC milliseconds. */
  readonly since?: number
  readonly after?: number
  readonly before?: number
  /** Case-insensitive text in the payload. */
  readonly grep?: string
  /** What is asked of one `gantry run`; whoever reads this is taken for its supervisor. */
  readonly run?: string
}

export interface Status {
  readonly version: string
  readonly pid: number
  readonly startedAt: number
  readonly socket: string
  readonly http: string | null
  readonly database: string
  readonly events: number
  readonly lastSeq: number
  readonly taken: number
  readonly unstored: number
  readonly fault: string | null
  readonly spooled: number
  readonly databaseBytes: number
  readonly memoryBytes: number
  readonly connections: number
  readonly subscribers: number
  readonly configProblem: string | null
  readonly log: string
  /** Where the bus is on NATS, in a line. */
  readonly nats: string
}

/** A message that NATS or a webhook would not take. */
export interface DeadLetter {
  readonly id: string
  /** `jetstream`, or `webhook:<name>`. */
  readonly target: string
  readonly stream: string
  readonly seq: number
  readonly session: string
  readonly attempts: number
  readonly error: string
  readonly deadAt: number
}

/** One line of `gantry doctor`. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly about: string
  readonly message: string
  /** What to do about it. */
  readonly fix?: string
}
