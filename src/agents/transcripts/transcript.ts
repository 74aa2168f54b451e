/**
 * Parses an agent's transcript. One line in, facts out; pure. The lines are untrusted, like any payload.
 */
import { isObject } from '../../core/is-object.ts'
import { objectIn } from '../../core/json.ts'
import type { MessagePart } from './messages.ts'

export type TranscriptFact = UnhookedFact | HookedFact

/** Facts that hooks lack: a person's Esc, a rejected dialog, the end of a turn, context usage. */
type UnhookedFact =
  /** A turn that no prompt started. */
  | { readonly kind: 'turn-start'; readonly at: number; readonly says: string; readonly prompt: string }
  | { readonly kind: 'interrupt'; readonly at: number; readonly says: string }
  | { readonly kind: 'turn-end'; readonly at: number; readonly says: string; readonly message?: string }
  | {
      readonly kind: 'turn-error'
      readonly at: number
      readonly says: string
      readonly error: string
      /** The message shown to the person. */
      readonly message?: string
    }
  | {
      readonly kind: 'usage'
      readonly at: number
      readonly contextTokens: number
      readonly contextWindow?: number
      readonly model?: string
    }
  /** The model that answers from here on, and its context window. */
  | { readonly kind: 'model'; readonly at: number; readonly model: string; readonly contextWindow: number }
  | { readonly kind: 'title'; readonly at: number; readonly title: string }
  /** The agent's version, if its hooks lack it. */
  | { readonly kind: 'version'; readonly at: number; readonly version: string }
  /** The agent's own dialog asks a person for a permission. */
  | { readonly kind: 'permission-asked'; readonly at: number; readonly id: string }
  | {
      readonly kind: 'permission-answered'
      readonly at: number
      /** Id of the question. */
      readonly id: string
      /** Id of the call in question. */
      readonly useId?: string
      /** `cancelled`: the turn ended before anybody answered. */
      readonly outcome: 'allowed' | 'denied' | 'cancelled'
    }

/** Facts that hooks report, too. Needed only for times when no hook arrived. */
type HookedFact =
  /** What a person asked: neither a command of the agent itself nor injected text. */
  | { readonly kind: 'prompt'; readonly at: number; readonly text: string }
  | {
      readonly kind: 'tool-start'
      readonly at: number
      readonly useId: string
      /** Name and input as in the agent's hooks. */
      readonly name: string
      readonly input: unknown
    }
  | {
      readonly kind: 'tool-end'
      readonly at: number
      readonly useId: string
      readonly outcome: ToolOutcome
      readonly error?: string
    }
  /** A call of a tool for which the agent has no hooks. */
  | { readonly kind: 'unhooked-call'; readonly at: number; readonly useId: string; readonly name: string }
  /** The model's answer. If not `final`, a call may still follow. */
  | { readonly kind: 'answer'; readonly at: number; readonly message?: string; readonly final: boolean }

/** `denied`: a person, a rule or a hook refused it. `void`: the call was invalid, so no hook ran. */
export type ToolOutcome = 'ok' | 'error' | 'denied' | 'void'

export interface TranscriptReader {
  /** The facts in one line; none if it is irrelevant or not JSON. */
  read(line: string): TranscriptFact[]
  /** Like `read`, for the lines of one file in order, if a line's meaning depends on earlier ones. */
  reading?(): (line: string) => TranscriptFact[]
  /** The agent has no hook for a failed turn, so there is none to wait for. */
  readonly errorsUnhooked?: true
  /** What the line adds to the conversation. `side` reads a sub-agent's own file instead of the session's. */
  messages(line: string, side?: boolean): MessagePart[]
  /** The conversation that this session continues, if the line tells. */
  origin?(line: string): Origin | undefined
  /** The folder with the transcripts of a session's sub-agents, one file each, beside the session's own. */
  sides?(path: string, sessionId: string): string
  /** Where new transcripts appear, for an agent whose sessions are to be found without hooks. */
  readonly places?: {
    /** Below each root, one pattern for each level of folders; the last ones hold the files. */
    readonly folders: readonly RegExp[]
    /** What one of the first lines tells of the session, if anything. */
    whose(line: string): Whose | undefined
    /** A failed call may have been invalid, for which no hook runs. */
    readonly isErrorUnsure?: true
  }
  /** Folders under which this agent keeps its transcripts; no other path is opened. */
  roots(env: Readonly<Record<string, string | undefined>>, home: string): string[]
  /** The path of a session's transcript, for an agent whose hooks name it late or never. */
  find?(
    sessionId: string,
    env: Readonly<Record<string, string | undefined>>,
    home: string,
  ): string | undefined
  /**
   * Context window in tokens of an unknown model, and of a large one. Only for an agent whose transcript may lack it and
   * whose status line may have it.
   */
  readonly windows?: { readonly usual: number; readonly large: number }
  /** No hook names the model, but the usage lines do. */
  readonly tellsModel?: true
}

/** The session of a transcript, as its hooks would name it. */
export interface Whose {
  readonly sessionId?: string
  readonly cwd?: string
  readonly version?: string
}

/** The origin session of a fork, or the first prompt in its transcript, which the origin session got. */
export type Origin = { readonly sessionId: string } | { readonly prompt: string; readonly at: number }

export type JsonLine = Readonly<Record<string, unknown>>

/** Relevant lines are never longer; a huge tool result is not worth parsing. */
const MAX_LINE_CHARS = 256 * 1024

export function parseLine(line: string, maxChars = MAX_LINE_CHARS): JsonLine | undefined {
  if (line.length > maxChars || !line.startsWith('{')) return undefined
  return objectIn(line)
}

export function objectOf(value: unknown): JsonLine | undefined {
  return isObject(value) ? value : undefined
}

export function timeOf(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? 0 : time
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

const MAX_ERROR_CHARS = 500

/** The agent's error text, shortened for display. */
export function errorOf(text: string): string {
  return text.slice(0, MAX_ERROR_CHARS)
}

/** The texts of a message: one string, or a list with text parts. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  return listOf(content)
    .map(({ text }) => text)
    .filter((text) => typeof text === 'string')
}

/** The objects in a list; none for any other value. */
export function listOf(value: unknown): JsonLine[] {
  return Array.isArray(value) ? value.map(objectOf).filter((one) => one !== undefined) : []
}
