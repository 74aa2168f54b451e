/**
 * A session's journal events around a time, and whether a transcript entry is among them. In doubt it is: a missing event
 * does less harm than an invented one.
 */
import type { HookEvent } from '../../events/index.ts'

const SAME_TEXT_MS = 10_000 // hooks run shortly before or after the line is written
const SAME_MOMENT_MS = 3_000 // the texts may differ: secrets are redacted in one of them
const AROUND_CALL_MS = 2_000

/** Of an event, no more than it takes to know it again. */
export interface RecordedEvent {
  readonly type: string
  readonly at: number
  readonly prompt?: string
  readonly useId?: string
  readonly tool?: string
}

/** A tool call from the transcript. */
export interface Call {
  readonly useId: string
  readonly name: string
  readonly input: unknown
  readonly startedAt: number
  readonly endedAt: number
}

const ENDS: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure', 'PermissionDenied'])

/** Nothing for events that no line of the session's own transcript could be about. */
export function recordedOf(event: HookEvent): RecordedEvent | undefined {
  const { type, at, prompt, tool } = event
  if (event.agentId !== undefined || event.promptInjected) return undefined
  if (type === 'UserPromptSubmit') return { type, at, prompt: prompt ?? '' }
  if (type !== 'PreToolUse' && !ENDS.has(type)) return undefined
  return { type, at, tool: tool?.name ?? '', ...(tool?.useId === undefined ? {} : { useId: tool.useId }) }
}

/**
 * Prompts that the journal lacks. Each journal entry matches one prompt, because people do send "go on" twice: first one
 * with the same text, then one at the same time.
 */
export function unheardPrompts<P extends { readonly text: string; readonly at: number }>(
  prompts: readonly P[],
  heard: readonly RecordedEvent[],
): Set<P> {
  const left = heard.filter(({ prompt }) => prompt !== undefined)
  const unheard = new Set(prompts)
  const pair = (isSame: (one: RecordedEvent, prompt: P) => boolean) => {
    for (const prompt of unheard) {
      const found = left.findIndex((one) => isSame(one, prompt))
      if (found < 0) continue
      left.splice(found, 1)
      unheard.delete(prompt)
    }
  }
  const within = (one: RecordedEvent, { at }: P, ms: number) => Math.abs(one.at - at) < ms
  pair((one, prompt) => one.prompt?.trim() === prompt.text.trim() && within(one, prompt, SAME_TEXT_MS))
  pair((one, prompt) => within(one, prompt, SAME_MOMENT_MS))
  return unheard
}

export function hasCall(heard: readonly RecordedEvent[], call: Call): boolean {
  return heard.some((one) => isOf(one, call))
}

export function hasEnd(heard: readonly RecordedEvent[], call: Call): boolean {
  return heard.some((one) => ENDS.has(one.type) && isOf(one, call))
}

/** By its id; where the agent's hooks give none, by name and time. */
function isOf(one: RecordedEvent, { useId, name, startedAt, endedAt }: Call): boolean {
  if (one.tool === undefined) return false
  if (one.useId !== undefined) return one.useId === useId
  return one.tool === name && one.at >= startedAt - AROUND_CALL_MS && one.at <= endedAt + AROUND_CALL_MS
}
