/** An event on one line, as lists of the journal show it, and how loud its type is. Pure. */
import { costWords, percentWords, shortNumber } from '../core/text/amount.ts'
import { subjectOf } from '../core/text/subject.ts'
import type { HookEvent } from '../events/hook-event.ts'
import { CANARY, OWN_AGENT } from '../events/names.ts'
import { deniedBy, refusalIn, refusalWords } from '../sessions/state/look.ts'

/** With or without its payload. */
export type LineEvent = Omit<HookEvent, 'raw' | 'client' | 'transport'>

/** What it is about, as it was sent: callers make it fit for a screen. */
export function lineOf(event: LineEvent): string {
  if (event.agent === OWN_AGENT) {
    const said = ownText(event)
    if (said !== undefined) return said
  }
  if (event.hidden === CANARY) return 'gantry install has tried the hook; no agent ran'
  if (isDenial(event)) return deniedText(event)
  if (event.type === 'StopBlocked') return event.reason ?? ''
  if (event.tool) return `${event.tool.name}  ${toolLine(event.tool)}`
  const { prompt, notification, error, message } = event
  // Gemini's AfterAgent and Codex's notify also have the prompt; the answer is more useful.
  if (event.type === 'Stop' && message !== undefined) return message
  if (prompt !== undefined) return prompt
  if (notification) return `${notification.type}  ${notification.message ?? ''}`
  if (error) return `${error.kind}  ${error.message ?? ''}`
  return message ?? event.agentType ?? event.source ?? event.reason ?? event.trigger ?? event.cwd ?? ''
}

/** gantry's own events have a message, or what they found out. */
function ownText({ fields = {} }: LineEvent): string | undefined {
  for (const one of [fields.message, fields.summary, fields.title]) if (typeof one === 'string') return one
  const { tokens, context_pct: pct, cost_usd: cost } = fields
  const used = [
    typeof tokens === 'number' ? `${shortNumber(tokens)} tokens` : '',
    typeof pct === 'number' ? `${percentWords(pct)} of its context` : '',
    typeof cost === 'number' ? costWords(cost) : '',
  ].filter(Boolean)
  return used.length === 0 ? undefined : used.join(' · ')
}

/** A tool's input, and its error, without its name. */
export function toolLine({ input, error }: NonNullable<LineEvent['tool']>): string {
  return `${subjectOf(input)}${error ? `  ${error}` : ''}`
}

export function isDenial({ type }: Pick<LineEvent, 'type'>): boolean {
  return type === 'PermissionDenied' || type === 'UserPromptDenied'
}

/** Who denied it comes first, then what: a narrow screen cuts the end. */
function deniedText({ tool, reason }: LineEvent): string {
  if (!tool) return refusalWords(reason)
  const { by, reason: why } = refusalIn(reason)
  return `${deniedBy(by)}: ${tool.name}  ${subjectOf(tool.input)}${why ? `  (${why})` : ''}`
}

export type TypeTone = 'need' | 'error' | 'accent' | 'busy' | 'done' | 'plain'

export function typeTone(type: string): TypeTone {
  if (type === 'PermissionRequest' || type === 'Notification' || type === 'Elicitation') return 'need'
  if (type.endsWith('Failure') || type.endsWith('Denied') || type === 'Interrupt') return 'error'
  if (type.startsWith('Session') || type === 'UserPromptSubmit') return 'accent'
  if (type.startsWith('Subagent') || type.startsWith('Task')) return 'busy'
  return type === 'Stop' ? 'done' : 'plain'
}
