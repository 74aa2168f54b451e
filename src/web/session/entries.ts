/** What the entries of a timeline say together. Pure. */
import type { TranscriptMessage } from '../../client/index.ts'
import type { Entry } from '../../timeline/entry.ts'

/** Of the session itself and its sub-agents. */
export function toolCounts(entries: readonly Entry[]): { readonly calls: number; readonly failed: number } {
  let [calls, failed] = [0, 0]
  for (const { kind, endAt, denied } of entries) {
    const isCall = kind === 'tool' || (kind === 'error' && endAt !== undefined)
    if (!isCall) continue
    calls += 1
    if (kind === 'error' && !denied) failed += 1
  }
  return { calls, failed }
}

/** What was refused, or asked and answered. */
export function decisionsIn(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ kind, denied }) => denied === true || kind === 'ask')
}

/** Prompts, and what the agent said at the end of its turns. */
export function toldIn(entries: readonly Entry[]): readonly TranscriptMessage[] {
  return entries.flatMap(({ kind, child, seq, at, text }) =>
    seq === undefined || child || text === '' || (kind !== 'prompt' && kind !== 'stop')
      ? []
      : [{ id: String(seq), role: kind === 'prompt' ? 'user' : 'assistant', at, text } as const],
  )
}
