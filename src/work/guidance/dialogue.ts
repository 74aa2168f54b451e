/** Formats an agent's question and the person's answer as text for the messages. */
import { toolsThat } from '../../agents/facts.ts'
import { jsonIn } from '../../core/json.ts'

const MAX_CHARS = 8_000
const MAX_LISTED = 20
const QUESTION_TOOLS = toolsThat('question', 'asking')

type Fields = Readonly<Record<string, unknown>>

/** Null for any other tool. */
export function dialogueEntry(toolName: string, input: unknown, response: unknown): string | null {
  if (!QUESTION_TOOLS.has(toolName)) return null
  const asked = fieldsOf(input)
  const said = typeof response === 'string' ? parsed(response) : response
  const answers = { ...fieldsOf(asked.answers), ...fieldsOf(fieldsOf(said).answers) }
  const lines = listOf(asked.questions ?? (asked.question === undefined ? [] : [asked])).flatMap((one) => {
    const { question, options, id } = fieldsOf(one)
    const text = typeof question === 'string' ? question : '(no question)'
    const offered = listOf(options).map(labelOf).join(' | ')
    const answer = answerOf(answers[text] ?? answers[String(id)])
    return [
      `Q: ${text}`,
      ...(offered === '' ? [] : [`Options: ${offered}`]),
      ...(answer === '' ? [] : [`A: ${answer}`]),
    ]
  })
  // Some agents return the answer as plain text.
  if (Object.keys(answers).length === 0 && typeof said === 'string' && said !== '') lines.push(`A: ${said}`)
  return lines.join('\n').slice(0, MAX_CHARS)
}

/** A string, an array of strings or, with Codex, an object that holds them. */
function answerOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(answerOf).filter(Boolean).join(', ')
  if (typeof value === 'object' && value !== null)
    return 'answers' in value ? answerOf(value.answers) : JSON.stringify(value)
  return value === undefined || value === null ? '' : String(value)
}

function labelOf(option: unknown): string {
  if (typeof option === 'string') return option
  const { label } = fieldsOf(option)
  return typeof label === 'string' ? label : ''
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_LISTED) : []
}

function parsed(text: string): unknown {
  if (!text.startsWith('{') || text.length > 8 * MAX_CHARS) return text
  return jsonIn(text) ?? text
}
