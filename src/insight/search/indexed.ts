/** An event as the index takes it: the words in it, and whose they are. */
import type { HookEvent } from '../../events/index.ts'
import { type Kind, type Piece, piecesOf } from './pieces.ts'
import { spaced } from './tokens.ts'

export interface IndexedText {
  /** Prompts, answers, titles. */
  readonly said: string
  /** Commands, paths, tools. */
  readonly did: string
  /** Agent, type and session as words, so that a filter is as quick as a word. */
  readonly facts: string
}

const SAID: ReadonlySet<Kind> = new Set<Kind>(['prompt', 'answer', 'title', 'error'])
const OWN_AGENT = 'gantry'
const MAX_FACT_CHARS = 80

/** Nothing for an event that has no words in it. */
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
  const { agent, id } = sessionOf(event)
  return {
    said: text(({ kind }) => SAID.has(kind)),
    did: text(({ kind }) => !SAID.has(kind)),
    facts: [factToken('agent', agent), factToken('type', event.type), factToken('session', id)].join(' '),
  }
}

/** One word of the index. What differs only in its punctuation is the same word; whoever reads the row can tell. */
export function factToken(what: 'agent' | 'type' | 'session', value: string): string {
  return `${what[0]}${value.slice(0, MAX_FACT_CHARS).replace(/[^\p{L}\p{N}]/gu, '')}`
}

/** Events of gantry's own name the session they are about. */
export function sessionOf(event: HookEvent): { readonly agent: string; readonly id: string } {
  const { agent, sessionId: id, fields } = event
  const key = agent === OWN_AGENT ? fields?.session_key : undefined
  if (typeof key !== 'string') return { agent, id }
  const colon = key.indexOf(':')
  return { agent: key.slice(0, Math.max(0, colon)), id: key.slice(colon + 1) }
}
