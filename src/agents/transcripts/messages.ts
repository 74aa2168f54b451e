/**
 * Turns a transcript into a conversation. Readers are pure: one line in, its parts out. `Conversation` joins the parts,
 * because a call and its result, or a growing message, are in different lines.
 *
 *   const conversation = new Conversation()
 *   for (const line of lines) for (const part of claudeMessages(line)) conversation.add(part)
 *   conversation.messages()
 */
import type { TokenCounts, TranscriptMessage } from '../../events/index.ts'

export type MessagePart =
  /** A message. The same id again updates it. */
  | { readonly kind: 'message'; readonly message: TranscriptMessage }
  | {
      readonly kind: 'result'
      /** The call's id. */
      readonly id: string
      readonly result?: string
      readonly error?: string
    }
  /** A person's prompt; what follows belongs to it. */
  | { readonly kind: 'turn'; readonly id: string; readonly at: number }
  /** The model that answers from here on. */
  | { readonly kind: 'model'; readonly model: string }
  | UsagePart
  /** Like `usage`, but cumulative; for versions that do not count single requests. */
  | { readonly kind: 'total'; readonly at: number; readonly counts: TokenCounts }
  /** The messages so far were rewritten. */
  | { readonly kind: 'reset' }

export interface UsagePart {
  readonly kind: 'usage'
  /** The request's id: its counts are written again as it grows. */
  readonly id: string
  readonly at: number
  readonly model?: string
  readonly counts: TokenCounts
  /** Billed at the list price: no batch, no faster tier, no region with its own price. */
  readonly standard: boolean
  /**
   * Position if not after the request's text: `before` it, or `aside` with a sub-agent that is not part of this
   * conversation.
   */
  readonly stands?: 'before' | 'aside'
  /** The cost reported by the agent itself; overrides the list price. */
  readonly costUsd?: number
}

/** A tool result of many megabytes is one line, too; only a message is worth its size. */
export const MAX_MESSAGE_LINE_CHARS = 4 * 1024 * 1024
const MAX_TEXT_CHARS = 100_000
const MAX_MESSAGES = 20_000
const MAX_CHARS = 32 * 1024 * 1024

export class Conversation {
  readonly #messages: TranscriptMessage[] = []
  /** Index of each id, counted from the very first message. */
  readonly #places = new Map<string, number>()
  /** The last counted request, and the message that holds its usage. */
  #counted: { request: string; message: string } | undefined
  /** Usage of a request whose text is still to come. */
  #ahead: UsagePart | undefined
  #model: string | undefined
  #chars = 0
  #dropped = 0

  /** Number of oldest messages dropped to stay within the limits. */
  get dropped(): number {
    return this.#dropped
  }

  add(part: MessagePart): void {
    switch (part.kind) {
      case 'message':
        this.#put(this.#named(part.message))
        if (this.#ahead && this.#count(this.#ahead)) this.#ahead = undefined
        break
      case 'result':
        this.#finish(part.id, part)
        break
      case 'model':
        this.#model = part.model
        break
      case 'usage':
        if (part.stands === 'before') this.#ahead = part
        else if (part.stands === undefined) this.#count(part)
        break
      case 'reset':
        this.#drop(this.#messages.length)
        this.#dropped = 0
        this.#places.clear()
        break
      case 'turn':
      case 'total':
        break
    }
  }

  messages(): readonly TranscriptMessage[] {
    return this.#messages
  }

  #named(message: TranscriptMessage): TranscriptMessage {
    const model = message.role === 'assistant' ? (message.model ?? this.#model) : undefined
    return model === undefined ? message : { ...message, model }
  }

  #put(message: TranscriptMessage): void {
    const at = this.#placeOf(message.id)
    if (at === undefined) {
      this.#places.set(message.id, this.#dropped + this.#messages.length)
      this.#messages.push(message)
      this.#chars += sizeOf(message)
      this.#bound()
    } else this.#replace(at, { ...this.#messages[at], ...message })
  }

  #finish(id: string, { result, error }: { result?: string; error?: string }): void {
    const at = this.#placeOf(id)
    const known = at === undefined ? undefined : this.#messages[at]
    if (at === undefined || !known?.tool) return
    const outcome = error === undefined ? (result === undefined ? {} : { result }) : { error }
    this.#replace(at, { ...known, tool: { ...known.tool, ...outcome } })
  }

  /** Attaches the usage to the request's last message. */
  #count({ id, counts, model }: UsagePart): boolean {
    const message = this.#messages.at(-1)
    if (!message || (message.role !== 'assistant' && message.role !== 'tool')) return false
    if (this.#counted?.request === id) this.#uncount(this.#counted.message)
    this.#counted = { request: id, message: message.id }
    const at = this.#messages.length - 1
    this.#replace(at, { ...message, usage: counts, ...(model === undefined ? {} : { model }) })
    return true
  }

  #uncount(id: string): void {
    const at = this.#placeOf(id)
    const known = at === undefined ? undefined : this.#messages[at]
    if (at === undefined || !known) return
    const { usage: _, ...rest } = known
    this.#replace(at, rest)
  }

  #replace(at: number, message: TranscriptMessage): void {
    const before = this.#messages[at]
    this.#chars += sizeOf(message) - (before ? sizeOf(before) : 0)
    this.#messages[at] = message
  }

  #placeOf(id: string): number | undefined {
    const place = this.#places.get(id)
    return place === undefined || place < this.#dropped ? undefined : place - this.#dropped
  }

  #bound(): void {
    if (this.#messages.length <= MAX_MESSAGES && this.#chars <= MAX_CHARS) return
    this.#drop(Math.ceil(this.#messages.length / 4))
  }

  #drop(count: number): void {
    for (const message of this.#messages.splice(0, count)) {
      this.#chars -= sizeOf(message)
      this.#places.delete(message.id)
    }
    this.#dropped += count
  }
}

export function textMessage(
  id: string,
  role: TranscriptMessage['role'],
  at: number,
  text: string,
  model?: string,
): MessagePart {
  const message = { id, role, at, text: shortened(text), ...(model === undefined ? {} : { model }) }
  return { kind: 'message', message }
}

export function callMessage(id: string, at: number, name: string, input: unknown): MessagePart {
  return { kind: 'message', message: { id, role: 'tool', at, text: '', tool: { name, input } } }
}

export function shortened(text: string): string {
  return text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, MAX_TEXT_CHARS)}…`
}

function sizeOf({ text, tool }: TranscriptMessage): number {
  return text.length + (tool?.result?.length ?? 0) + (tool?.error?.length ?? 0) + OVERHEAD_CHARS
}

const OVERHEAD_CHARS = 200
