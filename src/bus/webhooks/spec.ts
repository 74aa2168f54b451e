/** What a webhook is told, what it works with, and how it says it is doing. */

import type { Backoff } from '../../core/waits.ts'
import type { Store } from '../../store/index.ts'
import type { Filter, Sources, StreamName } from '../streams/index.ts'
import type { Endpoint } from './request.ts'

export interface WebhookSpec {
  readonly name: string
  /** As people may see it. */
  readonly shownUrl: string
  readonly stream: StreamName
  /** A message passes if one of them takes it; none means everything. */
  readonly filters: readonly Filter[]
  readonly enabled: boolean
  /** Asked before each request, so that a secret may change; throws when there is none. */
  readonly endpoint: () => Endpoint
}

export interface WebhookParts {
  readonly store: Store
  readonly sources: Sources
  readonly warn: (message: string) => void
  readonly now?: () => number
  readonly backoff?: Backoff
}

/** For `gantry bus webhooks` and `gantry doctor`. */
export interface WebhookStatus {
  readonly name: string
  readonly url: string
  readonly stream: StreamName
  readonly filter: readonly string[]
  readonly state: 'off' | 'ok' | 'retrying' | 'failing'
  /** What keeps it from sending at all. */
  readonly problem: string | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly lastAt: number | null
  readonly failingSince: number | null
  readonly nextAttemptAt: number | null
  /** Messages of the stream that were not dealt with yet, whatever their type. */
  readonly backlog: number
  /** Messages that failed and will be tried again. */
  readonly waiting: number
  /** Messages that were given up. */
  readonly dead: number
  /** Since the daemon started. */
  readonly delivered: number
  readonly rejected: number
  readonly failed: number
  /** Deleted from the stream before they could be sent. */
  readonly missed: number
}
