/** What a person asked, in a chat log where results of tools are `user` messages, too. */
import { type Line, listOf, textsOf } from '../transcript.ts'

/** What a hook put before the prompt. */
const HOOK_CONTEXT = /^<hook_context>[\s\S]*?<\/hook_context>\s*/

const SESSION_CONTEXT = '<session_context>'

/** What Gemini CLI itself tells the model first. */
export function isSessionContext(line: Line): boolean {
  return textsOf(line.content)[0]?.startsWith(SESSION_CONTEXT) === true
}

/** Results of tools are `user` messages, too. Where files were put into the prompt, what was typed stands beside it. */
export function promptIn(line: Line): string | undefined {
  if (listOf(line.content).some((part) => part.functionResponse !== undefined)) return undefined
  const [first = ''] = textsOf(line.displayContent ?? line.content)
  const text = first.replace(HOOK_CONTEXT, '')
  return text.trim() === '' || text.startsWith(SESSION_CONTEXT) ? undefined : text
}
