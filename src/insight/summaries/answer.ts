/** What a command or a model answers: JSON with a title and a summary, made to fit whatever it is. */
import { messageOf } from '../../core/errors.ts'
import type { Session } from '../../sessions/state/index.ts'
import type { Summed, TurnFacts } from './extract.ts'
import { summaryOf, titleOf } from './words.ts'

/** What is told to a command or a model. */
export interface SummaryInput extends TurnFacts {
  readonly session: {
    readonly id: string
    readonly agent: string
    readonly name: string
    readonly cwd?: string
  }
  readonly previous?: Summed
  /** The last turn as Markdown, its end where it is long. */
  readonly transcript?: string
}

export const MAX_ANSWER_BYTES = 64 * 1024

/** Throws with what is wrong. Models like to put JSON into a fence, or a word before it. */
export function readAnswer(text: string): Summed {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  let answer: unknown
  try {
    answer = JSON.parse(json)
  } catch (error) {
    throw new Error(`its answer is no JSON: ${messageOf(error)}`)
  }
  const { title, summary } = (answer ?? {}) as Record<string, unknown>
  if (
    typeof title !== 'string' ||
    typeof summary !== 'string' ||
    title.trim() === '' ||
    summary.trim() === ''
  )
    throw new Error('its answer has no "title" and "summary"')
  return { title: titleOf(title), summary: summaryOf(summary) }
}

export function inputOf(facts: TurnFacts & { transcript?: string }, session: Session): SummaryInput {
  const { id, agent, name, cwd, summary } = session
  return {
    session: { id, agent, name, ...(cwd === undefined ? {} : { cwd }) },
    ...facts,
    ...(summary === undefined ? {} : { previous: { title: summary.title, summary: summary.text } }),
  }
}
