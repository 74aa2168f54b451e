/** One timeline entry, and the text of an event in it. */
import type { Ask } from '../client/index.ts'
import { inputLine } from '../core/text/input-line.ts'
import { subjectOf } from '../core/text/subject.ts'
import { bare, clean } from '../core/text/text.ts'
import type { HookEvent } from '../events/index.ts'

export type { Ask, Entry, EntryKind } from '../client/index.ts'

/** Of what failed. */
export const ERROR_MARK = '✗'

export function toolText(event: HookEvent): string {
  return [event.tool?.name, inputText(event)].filter(Boolean).join('  ')
}

/** A question's text; for any other tool the main field of its input. */
export function inputText({ tool }: HookEvent): string {
  return questionsOf(tool?.input)[0]?.text ?? subjectOf(tool?.input)
}

export function agentText({ agentType, agentId }: HookEvent): string {
  return [agentType, agentId].filter(Boolean).join(' ')
}

export function errorText({ error, message }: HookEvent): string {
  return [error?.kind?.replaceAll('_', ' '), error?.message ?? message].filter(Boolean).join(': ')
}

const MAX_WORDS = 300
const MAX_QUESTIONS = 4
const MAX_OPTIONS = 9

export function askOf({ tool }: HookEvent): Ask | undefined {
  if (!tool) return undefined
  const subject = clean(bare(inputLine(tool.input)))
  return { tool: tool.name, questions: questionsOf(tool.input), subject }
}

/** Claude and Codex ask several questions at once, others one with choices. */
export function questionsOf(input: unknown): Ask['questions'] {
  if (typeof input !== 'object' || input === null) return []
  const { questions } = input as { questions?: unknown }
  const list = Array.isArray(questions) ? questions : [input]
  return list.slice(0, MAX_QUESTIONS).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return []
    const { question, options, choices } = one as Record<string, unknown>
    if (typeof question !== 'string') return []
    const given = Array.isArray(options) ? options : Array.isArray(choices) ? choices : []
    return [{ text: clean(question, MAX_WORDS), options: given.slice(0, MAX_OPTIONS).map(optionText) }]
  })
}

function optionText(option: unknown): string {
  if (typeof option === 'string') return clean(option, MAX_WORDS)
  if (typeof option !== 'object' || option === null) return ''
  const { label, name, value, description } = option as Record<string, unknown>
  const title = [label, name, value].find((one) => typeof one === 'string')
  const about = typeof description === 'string' ? ` — ${description}` : ''
  return clean(`${title ?? ''}${about}`, MAX_WORDS)
}
