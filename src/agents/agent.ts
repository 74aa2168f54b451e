import type { Arrival, HookEvent, HookReply, Verdict } from '../events/index.ts'
import type { MessagePart } from './messages.ts'
import type { PresenceReader } from './presence.ts'
import type { AgentSettings } from './settings.ts'
import type { StatusReader } from './status-file.ts'
import type { TranscriptReader } from './transcript.ts'

/** What one agent speaks. The rest of gantry knows only `HookEvent` and `Verdict`. */
export interface Agent {
  readonly id: string
  /** Native payload in, canonical event out. Pure; never throws; what it does not know stays in `fields`. */
  read(payload: unknown, from: Arrival): HookEvent
  /** Our verdict in the words this agent understands; what it cannot say is degraded and reported. */
  answer(event: HookEvent, verdict: Verdict): Answer
  /**
   * What the person sees while a hook decides on this permission: its own dialog `meanwhile`, and whoever answers first
   * wins; or nothing before the hook has ended (`after`). Undefined where a hook cannot answer it. `isWaitedFor`: it is the
   * main thread that asks, or a sub-agent that the main thread stands still for.
   */
  dialog?(event: HookEvent, isWaitedFor: boolean): 'meanwhile' | 'after' | undefined
  /** Native event name → what is known about it. The tables in the docs are made from this. */
  readonly events: Readonly<Record<string, NativeEvent>>
  /** Native fields that any of its events may have. */
  readonly commonFields?: readonly string[]
  /** Characters of context that one answer may carry; `answer` leaves out what is beyond and says so. */
  readonly contextLimit?: number
  /** What its transcript tells beyond its hooks. */
  readonly transcript?: TranscriptReader
  /** Where there is no transcript: what its events of one type tell of each request to the model. */
  readonly requests?: { readonly type: string; partsOf(event: HookEvent): readonly MessagePart[] }
  /** What it writes of its own state, sooner than its transcript. */
  readonly status?: StatusReader
  /** The variable that names the tool call in the environment of each command that it runs. */
  readonly callVariable?: string
  /** What it writes of its open sessions, sooner than its hooks tell of them. */
  readonly presence?: PresenceReader
  /** How it is wired; without it, it cannot be. */
  readonly settings?: AgentSettings
}

export interface NativeEvent {
  /** The canonical type it becomes. */
  readonly type: string
  /** Native fields it was seen with, beyond those all events of this agent share. */
  readonly fields: readonly string[]
  /** The oldest version of the agent it was seen on. */
  readonly since?: string
}

export interface Answer {
  readonly reply: HookReply
  /** What of the verdict this agent cannot express here, e.g. `ask` or `rewrite`. Counted and shown. */
  readonly degraded?: readonly string[]
}
