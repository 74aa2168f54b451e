/**
 * What an agent's transcript says. One line in, facts out; pure. The lines are hostile input like any payload.
 */
import type { MessagePart } from './messages.ts'

export type TranscriptFact = UnhookedFact | HookedFact

/** What its hooks leave out: a person's Esc, a rejected dialog, the end of a turn, what the context holds. */
export type UnhookedFact =
  /** A turn that nobody's prompt began. */
  | { readonly kind: 'turn-start'; readonly at: number; readonly says: string; readonly prompt: string }
  | { readonly kind: 'interrupt'; readonly at: number; readonly says: string }
  | { readonly kind: 'turn-end'; readonly at: number; readonly says: string; readonly message?: string }
  | {
      readonly kind: 'turn-error'
      readonly at: number
      readonly says: string
      readonly error: string
      /** What the person was told. */
      readonly message?: string
    }
  | {
      readonly kind: 'usage'
      readonly at: number
      readonly contextTokens: number
      readonly contextWindow?: number
      readonly model?: string
    }
  /** Which model answers from here on, and what it holds. */
  | { readonly kind: 'model'; readonly at: number; readonly model: string; readonly contextWindow: number }
  | { readonly kind: 'title'; readonly at: number; readonly title: string }
  /** Of the agent that writes it, for those whose hooks do not say it. */
  | { readonly kind: 'version'; readonly at: number; readonly version: string }
  /** A person is asked for a permission, in a dialog of the agent's own. */
  | { readonly kind: 'permission-asked'; readonly at: number; readonly id: string }
  | {
      readonly kind: 'permission-answered'
      readonly at: number
      /** Of the question. */
      readonly id: string
      /** Of the call that it was about. */
      readonly useId?: string
      /** `cancelled`: nobody answered, and its turn is over. */
      readonly outcome: 'allowed' | 'denied' | 'cancelled'
    }

/** What its hooks say, too, as long as somebody hears them. Of use only for the time when nobody did. */
export type HookedFact =
  /** What a person asked: no command of the agent's own, nothing that its machinery wrote. */
  | { readonly kind: 'prompt'; readonly at: number; readonly text: string }
  | {
      readonly kind: 'tool-start'
      readonly at: number
      readonly useId: string
      /** Name and input as the agent's hooks give them. */
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
  /** The model has said what it had to say. Not `final`: a call may still follow. */
  | { readonly kind: 'answer'; readonly at: number; readonly message?: string; readonly final: boolean }

/** `denied`: a person, a rule or a hook did not let it run. `void`: no such call can be made, so no hook ran for it. */
export type ToolOutcome = 'ok' | 'error' | 'denied' | 'void'

export interface TranscriptReader {
  /** The facts in one line; none for a line that says nothing, or is no JSON. */
  read(line: string): TranscriptFact[]
  /** The same for the lines of one file in their order, where what a line says depends on those before it. */
  reading?(): (line: string) => TranscriptFact[]
  /** No hook of the agent says that a turn failed: nothing has to be waited for. */
  readonly errorsUnhooked?: true
  /** What the line adds to the conversation. `side` asks for a sub-agent's own file instead of the session's. */
  messages(line: string, side?: boolean): MessagePart[]
  /** Which conversation the session went on with, if the line says so. */
  origin?(line: string): Origin | undefined
  /** The folder in which it keeps the transcripts of a session's sub-agents, one file for each, beside the session's own. */
  sides?(path: string, sessionId: string): string
  /** Folders under which this agent keeps its transcripts; a path anywhere else is not opened. */
  roots(env: Readonly<Record<string, string | undefined>>, home: string): string[]
  /** Where the transcript of a session is, for an agent whose hooks say so late or never. */
  find?(
    sessionId: string,
    env: Readonly<Record<string, string | undefined>>,
    home: string,
  ): string | undefined
  /**
   * Tokens that a model holds which nobody knows, and what it holds where it has more. Only for an agent whose transcript
   * may not say it, and whose status line may.
   */
  readonly windows?: { readonly usual: number; readonly large: number }
  /** No hook names the model; what its requests used does. */
  readonly tellsModel?: true
}

/** The session that a forked one began as, or the first prompt in its transcript, which was given to that session. */
export type Origin = { readonly sessionId: string } | { readonly prompt: string; readonly at: number }

export type Line = Readonly<Record<string, unknown>>

/** Nothing in a transcript that gantry cares for is longer; a huge tool result is not worth parsing. */
const MAX_LINE_CHARS = 256 * 1024

export function parseLine(line: string, maxChars = MAX_LINE_CHARS): Line | undefined {
  if (line.length > maxChars || !line.startsWith('{')) return undefined
  try {
    return objectOf(JSON.parse(line))
  } catch {
    return undefined
  }
}

export function objectOf(value: unknown): Line | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Line) : undefined
}

export function timeOf(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? 0 : time
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

const MAX_ERROR_CHARS = 500

/** What went wrong, in the agent's words, as short as it is shown. */
export function errorOf(text: string): string {
  return text.slice(0, MAX_ERROR_CHARS)
}

/** The texts of a message: one string, or a list of parts, of which some are text. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  return listOf(content)
    .map(({ text }) => text)
    .filter((text) => typeof text === 'string')
}

/** The objects of a list; none for anything else. */
export function listOf(value: unknown): Line[] {
  return Array.isArray(value) ? value.map(objectOf).filter((one) => one !== undefined) : []
}
