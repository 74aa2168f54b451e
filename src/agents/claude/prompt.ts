/** Extracts what a person asked from a transcript in which Claude Code writes `user` lines, too. */
import { type JsonLine, listOf, objectOf, textsOf } from '../transcripts/transcript.ts'
import { PEER_MESSAGE } from './injected.ts'

/**
 * Beginnings of `user` lines that no person wrote: Claude Code's own commands and their output, `!` commands, finished
 * background work, reminders, memories, the summary after a compaction.
 */
const NOT_A_PROMPT =
  /^\s*(?:<(?:command-(?:name|message|args)|local-command-\w+|bash-(?:input|stdout|stderr)|task-notification|system-reminder|user-memory-input)>|\[Request interrupted by user|This session is being continued from a previous conversation|Caveat: The messages below)/

/** A person's prompt in a `user` line; undefined if Claude Code wrote the line itself. */
export function promptIn(line: JsonLine): string | undefined {
  if (line.isMeta === true || line.isCompactSummary === true || line.isVisibleInTranscriptOnly === true)
    return undefined
  // 2.1.325 records who started the turn; 2.0.77 does not.
  const { turnOrigin = 'human' } = line
  const { kind = 'human' } = objectOf(line.origin) ?? {}
  if ((turnOrigin !== 'human' && turnOrigin !== 'sdk') || kind !== 'human') return undefined
  const content = objectOf(line.message)?.content
  if (toolResults(content).length > 0) return undefined
  const [first = '', ...others] = textsOf(content)
  if (first.trim() === '' || first.startsWith(PEER_MESSAGE) || NOT_A_PROMPT.test(first)) return undefined
  return [first, ...others.filter((one) => !NOT_A_PROMPT.test(one))].join('\n')
}

export function toolResults(content: unknown): JsonLine[] {
  return listOf(content).filter(({ type }) => type === 'tool_result')
}
