/**
 * What an agent's transcript says that its hooks do not: a person's Esc, a rejected dialog, the end of a turn, what the
 * context holds. One line in, facts out; pure. The lines are hostile input like any payload.
 */
export type TranscriptFact =
  | { readonly kind: 'interrupt'; readonly at: number; readonly says: string }
  | { readonly kind: 'turn-end'; readonly at: number; readonly says: string; readonly message?: string }
  | { readonly kind: 'turn-error'; readonly at: number; readonly says: string; readonly error: string }
  | {
      readonly kind: 'usage'
      readonly at: number
      readonly contextTokens: number
      readonly contextWindow?: number
    }
  | { readonly kind: 'title'; readonly at: number; readonly title: string }

export interface TranscriptReader {
  /** The facts in one line; none for a line that says nothing, or is no JSON. */
  read(line: string): TranscriptFact[]
  /** Folders under which this agent keeps its transcripts; a path anywhere else is not opened. */
  roots(env: Readonly<Record<string, string | undefined>>, home: string): string[]
}

export type Line = Readonly<Record<string, unknown>>

/** Nothing in a transcript that gantry cares for is longer; a huge tool result is not worth parsing. */
const MAX_LINE_CHARS = 256 * 1024

export function parseLine(line: string): Line | undefined {
  if (line.length > MAX_LINE_CHARS || !line.startsWith('{')) return undefined
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
