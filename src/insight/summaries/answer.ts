/** Parses the answer of a command or a model: JSON with a title and a summary, cut to length. */
import { messageOf } from '../../core/errors.ts'
import type { Session } from '../../sessions/state/index.ts'
import type { Summed, TurnFacts } from './extract.ts'
import { summaryOf, titleOf } from './words.ts'

/** The input of a command or a model. */
export interface SummaryInput extends TurnFacts {
  readonly session: {
    readonly id: string
    readonly agent: string
    readonly name: string
    readonly cwd?: string
  }
  readonly previous?: Summed
  /** The last turn as Markdown; only its end if it is long. */
  readonly transcript?: string
}

export const MAX_ANSWER_BYTES = 64 * 1024

/** Throws with the reason. Models tend to wrap JSON in a code fence or prefix it with text. */
export function readAnswer(text: string): Summed {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  let answer: unknown
  try {
    answer = JSON.parse(json)
  } catch (error) {
    throw new Error(`its answer is not JSON: ${messageOf(error)}`)
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
