/** Extracts what a person asked from a chat log that also records tool results as `user` messages. */
import { type JsonLine, listOf, textsOf } from '../transcripts/transcript.ts'

/** Text that a hook put before the prompt. */
const HOOK_CONTEXT = /^<hook_context>[\s\S]*?<\/hook_context>\s*/

const SESSION_CONTEXT = '<session_context>'

/** Gemini CLI's own first message to the model. */
export function isSessionContext(line: JsonLine): boolean {
  return textsOf(line.content)[0]?.startsWith(SESSION_CONTEXT) === true
}

/** Skips tool results. If files were inserted into the prompt, `displayContent` has the typed text. */
export function promptIn(line: JsonLine): string | undefined {
  if (listOf(line.content).some((part) => part.functionResponse !== undefined)) return undefined
  const [first = ''] = textsOf(line.displayContent ?? line.content)
  const text = first.replace(HOOK_CONTEXT, '')
  return text.trim() === '' || text.startsWith(SESSION_CONTEXT) ? undefined : text
}
