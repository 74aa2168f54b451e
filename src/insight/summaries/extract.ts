/**
 * A title and a summary without a model, deterministic for the same turn. The title comes from the prompt, the summary
 * from the answer and from the files and commands involved.
 */
import { basename } from 'node:path'
import { atMost, SUMMARY_WORDS, sentencesOf, summaryOf, titleOf, wordsOf } from './words.ts'

/** Facts about a turn. */
export interface TurnFacts {
  readonly prompt?: string
  readonly answer?: string
  readonly files: readonly { readonly path: string; readonly change: string }[]
  readonly commands: readonly string[]
}

export interface Summed {
  readonly title: string
  readonly summary: string
}

/** Polite openings to strip from a prompt. */
const POLITE =
  /^(?:(?:please|pls|hey|hi|hello|ok(?:ay)?|so|now|also|then|and|great|thanks|thank you|well|actually)[,!.:]?\s+|(?:can|could|would|will) (?:you|we)\s+|(?:i(?:'d| would) like (?:you )?to|i (?:want|need) (?:you )?to|let'?s|go ahead and|help me(?: to)?|try to)\s+)/i
/** Prompts that mean "continue": the previous turn's title says more. */
const GOES_ON =
  /^(?:(?:yes|yep|ok(?:ay)?|sure|please|go|on|ahead|continue|proceed|do|it|that|this|again|retry|next|more|thanks|thank|you|keep|going|fix|and|the|now|y|k|approve|approved|lgtm|good|great|nice)\W*\s*)+$/i
const MIN_SENTENCE_WORDS = 4
const SHOWN_FILES = 3

/** Undefined if nothing is known about the turn. `before` is the previous turn's title. */
export function extract(facts: TurnFacts, before?: string): Summed | undefined {
  const title = titleFrom(facts, before)
  const summary = summaryFrom(facts)
  return title === '' || summary === '' ? undefined : { title, summary }
}

function titleFrom(
  { prompt = '', answer = '', files, commands }: TurnFacts,
  before: string | undefined,
): string {
  const asked = politeless(sentencesOf(prompt)[0] ?? '')
  if (before && asked !== '' && GOES_ON.test(asked)) return before
  const said = asked || (sentencesOf(answer)[0] ?? '')
  if (said !== '') return titleOf(said)
  if (files.length > 0) return titleOf(`Changed ${namesOf(files)}`)
  return commands.length > 0 ? titleOf(`Ran ${commands[0]}`) : ''
}

function summaryFrom({ prompt = '', answer = '', files, commands }: TurnFacts): string {
  const did = actionsOf(files, commands)
  const room = SUMMARY_WORDS - wordsOf(did).length
  const said = sentencesOf(answer)
  if (said.length > 0) return summaryOf(`${gist(said, room)} ${did}`)
  const asked = sentencesOf(prompt).join(' ')
  if (asked !== '') return summaryOf(`${ended(`Asked: ${atMost(asked, room - 1)}`)} ${did}`)
  return summaryOf(did)
}

/** The first meaningful sentence, and as many more as fit. */
function gist(sentences: readonly string[], room: number): string {
  const first = sentences.findIndex((sentence) => wordsOf(sentence).length >= MIN_SENTENCE_WORDS)
  const from = sentences.slice(Math.max(0, first))
  let text = ended(atMost(from[0] ?? '', room))
  for (const sentence of from.slice(1)) {
    const longer = `${text} ${ended(sentence)}`
    if (wordsOf(longer).length > room) break
    text = longer
  }
  return text
}

function actionsOf(files: TurnFacts['files'], commands: readonly string[]): string {
  const parts: string[] = []
  if (files.length > 0) parts.push(`changed ${namesOf(files)}`)
  if (commands.length > 0)
    parts.push(`ran ${commands.length} ${commands.length === 1 ? 'command' : 'commands'}`)
  const text = parts.join(', ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function namesOf(files: TurnFacts['files']): string {
  const names = [...new Set(files.map(({ path }) => basename(path).replace(/\s+/g, '_')))]
  const shown = names.slice(0, SHOWN_FILES)
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

function politeless(text: string): string {
  let rest = text
  for (let i = 0; i < 4; i++) rest = rest.replace(POLITE, '')
  return rest
}

function ended(sentence: string): string {
  return /[.!?…。！？:]$/.test(sentence) || sentence === '' ? sentence : `${sentence}.`
}
