/** What a turn's transcript adds: the answer if Stop has none, and the turn as text for a command or a model. */
import { agentFor } from '../../agents/index.ts'
import { type HookEvent, markdownOf } from '../../events/index.ts'
import { lastEnv } from '../../sessions/index.ts'
import type { Session } from '../../sessions/state/index.ts'
import type { Store } from '../../store/index.ts'
import { conversationOf } from '../transcripts/conversation.ts'

interface Spoken {
  readonly answer?: string
  readonly transcript?: string
}

const TRANSCRIPT_BYTES = 1024 * 1024 // from its end
const MARKDOWN_CHARS = 16_000

export async function spokenIn(
  stop: HookEvent,
  session: Session,
  mode: string,
  { store, redaction }: { readonly store: Store; readonly redaction: () => boolean },
): Promise<Spoken> {
  const isNeeded = stop.message === undefined || mode !== 'extract'
  if (!isNeeded || session.transcriptPath === undefined || !agentFor(session.agent).transcript) return {}
  const found = await conversationOf(session, {
    env: lastEnv(session, store),
    maxBytes: TRANSCRIPT_BYTES,
    redaction: redaction(),
  })
  const messages = found?.messages ?? []
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const turn = messages.slice(Math.max(0, asked))
  const said = turn.findLast(({ role }) => role === 'assistant')?.text
  const answer = stop.message === undefined ? said : undefined
  return {
    ...(answer ? { answer } : {}),
    ...(turn.length > 0 ? { transcript: markdownOf(turn).slice(-MARKDOWN_CHARS) } : {}),
  }
}
