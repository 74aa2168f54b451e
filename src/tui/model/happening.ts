/** An event of a session in one line, and what it asks of a person: kept small, whatever the payload was. */
import { asksPermission, type WireEvent } from '../../client/index.ts'
import { inputLine } from '../../input-line.ts'
import { bare, clean } from '../../text.ts'
import type { Tone } from './line.ts'

export interface Happening {
  readonly seq: number
  readonly at: number
  readonly mark: string
  readonly tone: Tone
  readonly text: string
  /** Set where the event asks a person something. */
  readonly ask?: Ask
  /** The tool call that it begins or ends. */
  readonly call?: string
}

export interface Ask {
  readonly tool: string
  readonly questions: readonly { readonly text: string; readonly options: readonly string[] }[]
  /** The command, file or plan that it is about. */
  readonly subject: string
}

const MAX_QUESTIONS = 4
const MAX_OPTIONS = 9
const MAX_TEXT = 300 // units; a line shows less

/** Told by other events, or many a second: nothing that a person looks for. */
const UNTOLD = new Set([
  'PreModelRequest',
  'PostModelRequest',
  'PreToolSelection',
  'StatusLine',
  'PostToolBatch',
  'MessageDisplay',
  'InstructionsLoaded',
  'SessionSeen',
  'GraceSet',
  'GraceEnded',
  'SessionSummarized',
])

const ENDS = new Set(['PostToolUse', 'PostToolUseFailure'])
const MAX_HAPPENINGS = 200

/** With what came; the end of a call takes the place of its beginning, so that one call is one line. */
export function withEvents(known: readonly Happening[], events: readonly WireEvent[]): readonly Happening[] {
  const list = [...known]
  for (const event of events) {
    const happening = happeningOf(event)
    if (!happening) continue
    const began = ENDS.has(event.type) && happening.call !== undefined
    const at = began ? list.findLastIndex(({ call }) => call === happening.call) : -1
    const { ask: _, ...over } = happening
    if (at >= 0) list[at] = over
    else list.push(happening)
  }
  return list.slice(-MAX_HAPPENINGS)
}

export function happeningOf(event: WireEvent): Happening | undefined {
  if (event.hidden !== undefined || UNTOLD.has(event.type)) return undefined
  const { mark, tone, text } = wordsOf(event)
  const who = event.agentType ? `${event.agentType}: ` : ''
  const ask = askOf(event)
  const base = { seq: event.seq, at: event.at, mark, tone, text: clean(`${who}${text}`, MAX_TEXT) }
  const call = event.type === 'PermissionRequest' ? undefined : event.tool?.useId
  return { ...base, ...(ask ? { ask } : {}), ...(call === undefined ? {} : { call }) }
}

function wordsOf(event: WireEvent): { mark: string; tone: Tone; text: string } {
  const tool = event.tool ? `${event.tool.name}  ${subjectOf(event.tool.input)}` : ''
  switch (asksPermission(event) ? 'PermissionRequest' : event.type) {
    case 'UserPromptSubmit':
      return { mark: '»', tone: event.promptInjected ? 'quiet' : 'accent', text: event.prompt ?? '' }
    case 'PreToolUse':
      return { mark: '▸', tone: 'plain', text: tool }
    case 'PostToolUse':
      return { mark: '✓', tone: 'quiet', text: `${tool}${took(event)}` }
    case 'PostToolUseFailure':
      return {
        mark: '✗',
        tone: 'error',
        text: `${event.tool?.name ?? 'tool'}  ${event.tool?.error ?? 'failed'}`,
      }
    case 'PermissionRequest':
      return { mark: '▲', tone: 'need', text: `permission for ${tool}` }
    case 'PermissionResolved':
    case 'PermissionDenied':
      return {
        mark: '△',
        tone: 'plain',
        text: `${spaced(event.type)} ${tool}${event.reason ? `  ${event.reason}` : ''}`,
      }
    case 'Notification':
      return {
        mark: '!',
        tone: 'need',
        text: event.notification?.message ?? event.notification?.type ?? 'notification',
      }
    case 'Stop':
      return { mark: '■', tone: 'done', text: event.message ?? 'turn over' }
    case 'StopFailure':
      return { mark: '✖', tone: 'error', text: event.error?.message ?? event.error?.kind ?? 'turn failed' }
    case 'UserPromptDenied':
      return { mark: '✗', tone: 'error', text: `prompt ${event.reason ?? 'refused'}` }
    case 'Interrupt':
      return { mark: '■', tone: 'need', text: 'interrupted' }
    case 'SubagentStart':
      return { mark: '⤷', tone: 'work', text: 'started' }
    case 'SubagentStop':
      return { mark: '⤶', tone: 'quiet', text: event.message ?? 'done' }
    case 'PreCompact':
    case 'PostCompact':
      return { mark: '◐', tone: 'busy', text: event.type === 'PreCompact' ? 'compacting' : 'compacted' }
    case 'SessionStart':
      return { mark: '◌', tone: 'plain', text: `session begins (${event.source ?? 'startup'})` }
    case 'SessionEnd':
      return { mark: '·', tone: 'quiet', text: `session over (${event.reason ?? 'ended'})` }
    default:
      return {
        mark: '·',
        tone: 'quiet',
        text: `${spaced(event.type)} ${event.message ?? event.reason ?? ''}`,
      }
  }
}

function took({ tool }: WireEvent): string {
  const ms = tool?.durationMs
  return ms === undefined ? '' : `  ${ms < 1000 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(1)}s`}`
}

/** PermissionDenied → "permission denied". */
function spaced(type: string): string {
  return type.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
}

const SUBJECTS = [
  'command',
  'cmd',
  'file_path',
  'filePath',
  'path',
  'pattern',
  'query',
  'url',
  'description',
  'question',
  'plan',
  'prompt',
]

/** The one field of a tool's input that says most. */
export function subjectOf(input: unknown): string {
  if (typeof input === 'string') return clean(input, MAX_TEXT)
  if (typeof input !== 'object' || input === null) return ''
  const fields = input as Record<string, unknown>
  for (const name of SUBJECTS) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return clean(value, MAX_TEXT)
    if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
      return clean(value.slice(0, 20).join(' '), MAX_TEXT)
  }
  const first = Object.values(fields).find((value) => typeof value === 'string')
  return typeof first === 'string' ? clean(first, MAX_TEXT) : ''
}

function askOf(event: WireEvent): Ask | undefined {
  if (!event.tool || (event.type !== 'PreToolUse' && !asksPermission(event))) return undefined
  const questions = questionsOf(event.tool.input)
  return { tool: event.tool.name, questions, subject: clean(bare(inputLine(event.tool.input))) }
}

/** Claude and Codex ask several questions at once, others one with choices. */
function questionsOf(input: unknown): Ask['questions'] {
  if (typeof input !== 'object' || input === null) return []
  const { questions } = input as { questions?: unknown }
  const list = Array.isArray(questions) ? questions : [input]
  return list.slice(0, MAX_QUESTIONS).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return []
    const { question, options, choices } = one as Record<string, unknown>
    if (typeof question !== 'string') return []
    const given = Array.isArray(options) ? options : Array.isArray(choices) ? choices : []
    return [{ text: clean(question, MAX_TEXT), options: given.slice(0, MAX_OPTIONS).map(optionText) }]
  })
}

function optionText(option: unknown): string {
  if (typeof option === 'string') return clean(option, MAX_TEXT)
  if (typeof option !== 'object' || option === null) return ''
  const { label, name, value, description } = option as Record<string, unknown>
  const title = [label, name, value].find((one) => typeof one === 'string')
  const about = typeof description === 'string' ? ` — ${description}` : ''
  return clean(`${title ?? ''}${about}`, MAX_TEXT)
}

/** What the session asks now: the newest event that asks about the tool it waits for. */
export function currentAsk(happenings: readonly Happening[], tool: string | undefined): Ask | undefined {
  for (let i = happenings.length - 1; i >= 0; i--) {
    const ask = happenings[i]?.ask
    if (ask && (tool === undefined || ask.tool === tool)) return ask
  }
  return undefined
}
