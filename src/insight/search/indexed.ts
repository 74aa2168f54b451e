/** An event as a row of the index. */
import { type HookEvent, partsOfKey, sessionKeyOf } from '../../events/index.ts'
import { type Kind, type Piece, piecesOf } from './pieces.ts'
import { spaced } from './question.ts'

interface IndexedText {
  /** Prompts, answers, titles. */
  readonly said: string
  /** Commands, paths, tools. */
  readonly did: string
  /** Agent, type and session as tokens, so that a filter is as fast as a word. */
  readonly facts: string
}

const SAID: ReadonlySet<Kind> = new Set<Kind>(['prompt', 'answer', 'title', 'error'])
const MAX_FACT_CHARS = 80

/** Undefined for an event without text. */
export function indexedText(event: HookEvent): IndexedText | undefined {
  const pieces = piecesOf(event)
  if (pieces.length === 0) return undefined
  const text = (wanted: (piece: Piece) => boolean) =>
    spaced(
      pieces
        .filter(wanted)
        .map((piece) => piece.text)
        .join('\n'),
    )
  const { agent, sessionId } = sessionOf(event)
  return {
    said: text(({ kind }) => SAID.has(kind)),
    did: text(({ kind }) => !SAID.has(kind)),
    facts: [factToken('agent', agent), factToken('type', event.type), factToken('session', sessionId)].join(
      ' ',
    ),
  }
}

/**
 * One token of the index. Values that differ only in punctuation share a token; the reader of the row checks the value.
 */
export function factToken(what: 'agent' | 'type' | 'session', value: string): string {
  return `${what[0]}${value.slice(0, MAX_FACT_CHARS).replace(/[^\p{L}\p{N}]/gu, '')}`
}

/** Internal events name the session they are about in their fields. */
export function sessionOf(event: HookEvent): ReturnType<typeof partsOfKey> {
  const key = sessionKeyOf(event)
  return key === '' ? event : partsOfKey(key)
}
