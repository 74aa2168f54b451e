/** A channel as gantry.toml describes it, and the outcome of one message. */
import type { Reason } from '../occasion.ts'

export const KINDS = ['desktop', 'bell', 'osc', 'sound', 'webhook', 'ntfy', 'slack', 'telegram'] as const

export type Kind = (typeof KINDS)[number]

export interface Channel {
  readonly name: string
  readonly kind: Kind
  readonly enabled: boolean
  readonly reasons: readonly Reason[]
  readonly afterMs: number
  readonly cooldownMs: number
  readonly maxPerMinute: number
  /** Skip while the pane is in view. */
  readonly onlyUnfocused: boolean
  readonly inQuietHours: boolean
  /** Include the agent's own words. */
  readonly withWords: boolean
  readonly timeoutMs: number
  /** For `osc`: which of the two terminal sequences. */
  readonly form: '9' | '777' | 'both'
  /** Sound file and its player. */
  readonly file: string
  readonly player: string
  readonly topic: string
  readonly chatId: string
  /** Read when needed, so that a new secret needs no restart; throw if a file cannot be read. */
  readonly url: () => string
  readonly token: () => string | undefined
}

export interface Notification {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly reason: Reason
  readonly urgent: boolean
  readonly session: { readonly name: string; readonly agent: string; readonly project?: string }
  /** Where the agent runs. */
  readonly target: Target
  readonly at: number
}

export interface Target {
  readonly pane?: string
  readonly tmux?: string
  readonly pid?: number
}

export interface Sent {
  readonly ok: boolean
  /** The other side's answer, or why it was not sent; one line, without addresses and secrets. */
  readonly detail: string
  /** Another attempt may succeed. */
  readonly again?: boolean
}
