/** One message of a conversation, in the same form for every agent, and its Markdown. */
import { utcTime } from '../core/time/days.ts'

/** Tokens of model requests; the counts do not overlap. */
export interface TokenCounts {
  /** Tokens neither read from a cache nor written to one. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  /** Includes thinking. */
  readonly output: number
}

interface MessageTool {
  readonly name: string
  readonly input?: unknown
  readonly result?: string
  readonly error?: string
}

export interface TranscriptMessage {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'tool' | 'system'
  /** UTC milliseconds; 0 if the transcript has no time. */
  readonly at: number
  readonly text: string
  readonly tool?: MessageTool
  readonly usage?: TokenCounts
  readonly model?: string
}

interface MarkdownOptions {
  readonly title?: string
  /** Maximum characters of a tool's input or result; the text says how much was left out. */
  readonly toolChars?: number
}

const TOOL_CHARS = 2_000
const TITLES = { user: 'User', assistant: 'Assistant', tool: 'Tool', system: 'System' } as const

export function markdownOf(messages: readonly TranscriptMessage[], options: MarkdownOptions = {}): string {
  const { title, toolChars = TOOL_CHARS } = options
  const parts = title === undefined ? [] : [`# ${oneLine(title)}`]
  let last: TranscriptMessage['role'] | undefined
  for (const message of messages) {
    // An assistant's text and its tool calls belong to one turn.
    const speaker = message.role === 'tool' ? 'assistant' : message.role
    if (speaker !== last) parts.push(headingOf(speaker, message))
    last = speaker
    if (message.text.trim() !== '') parts.push(message.text.trim())
    if (message.tool) parts.push(toolText(message.tool, toolChars))
  }
  return `${parts.join('\n\n')}\n`
}

function headingOf(role: TranscriptMessage['role'], { at, model }: TranscriptMessage): string {
  const when = at > 0 ? utcTime(at) : ''
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

/** Shows a shell command as plain text. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input
  const command = (input as { command?: unknown } | null)?.command
  return typeof command === 'string' ? command : (JSON.stringify(input, null, 2) ?? '')
}

/** The fence is longer than any in the text, so the text cannot close it. */
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
