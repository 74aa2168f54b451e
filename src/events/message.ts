/** One message of a conversation, whichever agent wrote it down, and how a person reads it. */

/** Tokens of model requests, counted so that nothing is in two of them. */
export interface TokenCounts {
  /** Neither read from a cache nor written to one. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  /** With what the model thought. */
  readonly output: number
}

export interface MessageTool {
  readonly name: string
  readonly input?: unknown
  readonly result?: string
  readonly error?: string
}

export interface TranscriptMessage {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'tool' | 'system'
  /** UTC milliseconds; 0 where the transcript does not say. */
  readonly at: number
  readonly text: string
  readonly tool?: MessageTool
  readonly usage?: TokenCounts
  readonly model?: string
}

export interface MarkdownOptions {
  readonly title?: string
  /** Characters of one tool's input or result; the rest is left out, and said so. */
  readonly toolChars?: number
}

const TOOL_CHARS = 2_000
const TITLES = { user: 'User', assistant: 'Assistant', tool: 'Tool', system: 'System' } as const

export function markdownOf(messages: readonly TranscriptMessage[], options: MarkdownOptions = {}): string {
  const { title, toolChars = TOOL_CHARS } = options
  const parts = title === undefined ? [] : [`# ${oneLine(title)}`]
  let last: TranscriptMessage['role'] | undefined
  for (const message of messages) {
    // What an assistant says and the calls it makes are one turn of the conversation.
    const speaker = message.role === 'tool' ? 'assistant' : message.role
    if (speaker !== last) parts.push(headingOf(speaker, message))
    last = speaker
    if (message.text.trim() !== '') parts.push(message.text.trim())
    if (message.tool) parts.push(toolText(message.tool, toolChars))
  }
  return `${parts.join('\n\n')}\n`
}

function headingOf(role: TranscriptMessage['role'], { at, model }: TranscriptMessage): string {
  const when = at > 0 ? new Date(at).toISOString().slice(0, 19).replace('T', ' ') : ''
  const about = [when, model && oneLine(model)].filter(Boolean).join(' · ')
  return about === '' ? `## ${TITLES[role]}` : `## ${TITLES[role]} · ${about}`
}

function toolText({ name, input, result, error }: MessageTool, chars: number): string {
  const parts = [`**${oneLine(name)}**`]
  if (input !== undefined) parts.push(fenced(inputText(input), chars))
  if (error !== undefined) parts.push('Failed:', fenced(error, chars))
  else if (result !== undefined && result !== '') parts.push('Result:', fenced(result, chars))
  return parts.join('\n\n')
}

/** A shell command reads best as itself. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input
  const command = (input as { command?: unknown } | null)?.command
  return typeof command === 'string' ? command : (JSON.stringify(input, null, 2) ?? '')
}

/** A fence longer than any inside the text, so that the text cannot end it. */
function fenced(text: string, chars: number): string {
  const shown =
    text.length > chars ? `${text.slice(0, chars)}\n… ${text.length - chars} more characters` : text
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${shown.replace(/\n+$/, '')}\n${fence}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200)
}
