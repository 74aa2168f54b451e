/** What calls about contexts, transcripts, usage and files answer. */
import type { EventContext, FileChangeKind, TranscriptMessage } from '../events/index.ts'

export { markdownOf, type TranscriptMessage } from '../events/message.ts'
export { sdkLine } from '../events/sdk-line.ts'

export interface EventContextView {
  readonly seq: number
  /** Null for an event that is gone. */
  readonly context: EventContext | null
}

export interface TranscriptView {
  readonly session: {
    readonly id: string
    readonly agent: string
    readonly name: string
    readonly title?: string
  }
  readonly messages: readonly TranscriptMessage[]
  /** Older messages are left out. */
  readonly cut: boolean
}

export interface UsageView {
  readonly turn: string
  readonly turnAt: number
  /** Set for a sub-agent's own requests. */
  readonly agentId?: string
  readonly model: string
  readonly requests: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  /** By list prices; null where that of a request is not known. */
  readonly costUsd: number | null
}

export interface SessionUsageView {
  readonly turns: readonly UsageView[]
  readonly total: Omit<UsageView, 'turn' | 'turnAt' | 'agentId' | 'model'>
  /** The newest of the price lists. */
  readonly pricesAsOf: string
}

export interface SessionFileView {
  readonly path: string
  /** The last one. */
  readonly change: FileChangeKind
  /** It was not there before this session. */
  readonly created: boolean
  readonly changes: number
}
