/** What a webhook is told, what it works with, and how it says it is doing. */
import type { Backoff } from '../../core/time/waits.ts'
import type { FollowerStore } from '../../store/index.ts'
import type { Filter, StreamName, Streams } from '../streams/index.ts'
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
  readonly store: FollowerStore
  readonly sources: Streams
  readonly warn: (message: string) => void
  readonly now?: () => number
  readonly backoff?: Backoff
}
