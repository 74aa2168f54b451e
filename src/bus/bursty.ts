/**
 * Events that come in bursts and of which only the latest says something: progress and measurements. A slow reader
 * that asks for it gets the latest of each session; all others, durable consumers and the journal keep every one.
 */
import type { MessageKind } from '../store/index.ts'

export const BURSTY: ReadonlySet<string> = new Set([
  'PreModelRequest', // Gemini sends these around every request to the model, several in a second
  'PostModelRequest',
  'PreToolSelection',
  'StatusLine', // Claude draws it anew up to three times in a second
  'UsageObserved', // what was used so far: each one includes those before
  'MessageDisplay', // text while it is being written
])

/** Those that a later one of the same session and type makes worthless. */
export function superseded(kinds: readonly MessageKind[]): Set<number> {
  const latest = new Map<string, number>()
  const gone = new Set<number>()
  for (const { seq, type, session } of kinds) {
    if (!BURSTY.has(type)) continue
    const key = `${type}\n${session}`
    const before = latest.get(key)
    if (before !== undefined) gone.add(before)
    latest.set(key, seq)
  }
  return gone
}
