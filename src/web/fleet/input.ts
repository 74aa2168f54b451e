/** A tool's input for a person who decides about it: all of it, and nothing hidden in it. Pure. */
import { isObject } from '../../core/is-object.ts'
import { FILE_FIELDS } from '../../core/text/subject.ts'
import { shown } from '../parts/format.ts'

/** The field that says what happens, by the names of all agents' tools; the first that is there is shown as it is. */
const TELLING = ['command', 'cmd', ...FILE_FIELDS, 'url', 'plan', 'prompt']
/** The model's own explanation: it has no effect. */
const WORDS = ['description', 'justification']

interface WholeInput {
  readonly main: string
  /** Every other field, as JSON. */
  readonly rest: string
  /** What the model says about it. */
  readonly words: string
}

export function wholeInput(input: unknown): WholeInput {
  if (!isObject(input))
    return { main: input === undefined || input === null ? '' : textOf(input), rest: '', words: '' }
  const fields = Object.entries(input)
  const main = TELLING.flatMap((name) => fields.filter(([key]) => key === name))[0]
  const said = fields.filter(([key, value]) => WORDS.includes(key) && typeof value === 'string' && main)
  const rest = fields.filter((field) => field[0] !== main?.[0] && !said.includes(field))
  return {
    main: main ? textOf(main[1]) : pretty(Object.fromEntries(rest)),
    rest:
      main && rest.length > 0 ? rest.map(([key, value]) => `${shown(key)}: ${textOf(value)}`).join('\n') : '',
    words: said.map(([, value]) => shown(String(value))).join(' '),
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return shown(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return shown(value.join(' '))
  return pretty(value)
}

function pretty(value: unknown): string {
  return shown(JSON.stringify(value, null, 2) ?? '')
}
