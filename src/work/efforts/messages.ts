/** Messages of a window: prompts, last replies, questions and answers, failures, logs. */
import type { WorkContext } from '../context.ts'

const MAX_CHARS = 20_000 // a prompt may be a whole file

export function note(
  { rows, now }: Pick<WorkContext, 'rows' | 'now'>,
  sessionId: number,
  role: 'user' | 'assistant' | 'dialogue' | 'failure' | 'task' | 'log',
  content: string,
  toolName: string | null = null,
): void {
  rows.addMessage({ sessionId, role, content: content.slice(0, MAX_CHARS), toolName, at: now })
}
