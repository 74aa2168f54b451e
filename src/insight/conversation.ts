/** The conversation of a session from its transcript: bounded and redacted. */
import { agentFor, Conversation } from '../agents/index.ts'
import { readLines } from '../core/files/lines.ts'
import { homeOf } from '../core/files/paths.ts'
import type { TranscriptMessage } from '../events/index.ts'
import { redact } from '../redaction/index.ts'
import type { Session } from '../sessions/state/index.ts'

interface Conversed {
  readonly messages: readonly TranscriptMessage[]
  /** True if older messages were left out. */
  readonly cut: boolean
}

interface ConverseOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Bytes to read, from the end of the transcript. */
  readonly maxBytes: number
  readonly redaction: boolean
}

/** Undefined if the transcript is missing or in a format that gantry cannot read. */
export async function conversationOf(
  session: Pick<Session, 'agent' | 'transcriptPath'>,
  { env, maxBytes, redaction }: ConverseOptions,
): Promise<Conversed | undefined> {
  const reader = agentFor(session.agent).transcript
  if (!reader || !session.transcriptPath) return undefined
  const conversation = new Conversation()
  const roots = reader.roots(env, homeOf(env))
  const read = await readLines(session.transcriptPath, roots, { offset: 0, maxBytes }, (line) => {
    for (const part of reader.messages(line)) conversation.add(part)
  })
  if (!read) return undefined
  const messages = conversation.messages()
  return {
    messages: redaction ? messages.map(withoutSecrets) : messages,
    cut: read.skipped > 0 || conversation.dropped > 0,
  }
}

function withoutSecrets(message: TranscriptMessage): TranscriptMessage {
  const { text, tool } = message
  return {
    ...message,
    text: redact(text).text,
    ...(tool === undefined ? {} : { tool: cleanTool(tool) }),
  }
}

function cleanTool(tool: NonNullable<TranscriptMessage['tool']>): NonNullable<TranscriptMessage['tool']> {
  const before = JSON.stringify(tool)
  const { text, count } = redact(before)
  return count === 0 ? tool : (JSON.parse(text) as typeof tool)
}
