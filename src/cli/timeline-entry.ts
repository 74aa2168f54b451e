/** One thing of a timeline, and the few words that an event says in it. */
import type { WireEvent } from '../client/index.ts'
import { inputOf } from './events.ts'

export type EntryKind =
  | 'session'
  | 'prompt'
  | 'tool'
  | 'error'
  | 'ask'
  | 'stop'
  | 'agent'
  | 'window'
  | 'log'
  | 'note'

export interface Entry {
  readonly at: number
  readonly kind: EntryKind
  readonly label: string
  readonly text: string
  readonly tookMs?: number
  /** Done by a sub-agent. */
  readonly child?: boolean
  /** Not over yet. */
  readonly open?: boolean
}

/** Tells one call of a tool from others; where the agent gives no id, by name. */
export function callOf({ tool, agentId = '' }: WireEvent): string {
  return tool?.useId ?? `${agentId} ${tool?.name}`
}

export function toolText(event: WireEvent): string {
  return [event.tool?.name, inputText(event)].filter(Boolean).join('  ')
}

/** Of a question its words; of any other tool what it is about. */
export function inputText({ tool }: WireEvent): string {
  const { questions } = (typeof tool?.input === 'object' && tool.input !== null ? tool.input : {}) as {
    questions?: unknown
  }
  const [first] = Array.isArray(questions) ? (questions as { question?: unknown }[]) : []
  return typeof first?.question === 'string' ? first.question : inputOf(tool?.input)
}

export function agentText({ agentType, agentId }: WireEvent): string {
  return [agentType, agentId].filter(Boolean).join(' ')
}

export function errorText({ error, message }: WireEvent): string {
  return [error?.kind, error?.message ?? message].filter(Boolean).join(': ')
}
