/** Building blocks of all agents' answers. Pure, and without allocation if there is nothing to answer. */
import { EMPTY_REPLY, type HookReply, type Verdict } from '../events/verdict.ts'
import type { Answer } from './agent.ts'

/** The empty answer: one shared object. */
export const SILENT: Answer = { reply: EMPTY_REPLY }

export function saysNothing(verdict: Verdict): boolean {
  return (
    verdict.decision === 'none' &&
    verdict.input === undefined &&
    !verdict.systemMessage &&
    (verdict.context === undefined || verdict.context.length === 0)
  )
}

/** A lone surrogate, which JSON.stringify writes as `\ud800`. The backslashes before it are whole pairs. */
const HALF_CHARACTER = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/** An object without keys becomes an empty reply. */
export function jsonReply(output: Readonly<Record<string, unknown>>): HookReply {
  if (Object.keys(output).length === 0) return EMPTY_REPLY
  // Codex 0.166.0 rejects a lone surrogate: it voids the whole answer, and a denied tool runs.
  const stdout = JSON.stringify(output).replace(HALF_CHARACTER, '$1\ufffd')
  return { exit: 0, stdout, stderr: '' }
}

/** Exit 2 blocks. With an empty stderr the action would proceed (Codex 0.166, Gemini 0.61). */
export function blockReply(reason: string): HookReply {
  return { exit: 2, stdout: '', stderr: reason }
}

export function answerOf(reply: HookReply, degraded: readonly string[]): Answer {
  if (degraded.length > 0) return { reply, degraded }
  return reply === EMPTY_REPLY ? SILENT : { reply }
}

/** Every refusal has a reason: agents show it to the model, and some ignore a refusal without one. */
export function reasonOf(verdict: Verdict): string {
  if (verdict.reason?.trim()) return verdict.reason
  const rule = verdict.by ? `gantry rule ${verdict.by}` : 'a gantry rule'
  return verdict.decision === 'ask' ? `Confirmation asked for by ${rule}.` : `Denied by ${rule}.`
}

/** Joins contexts into at most `limit` characters; the last line counts what is missing. */
export function joinContext(parts: readonly string[] | undefined, limit: number): string {
  const whole = (parts ?? []).filter((part) => part !== '').join('\n\n')
  if (whole.length <= limit) return whole
  let room = limit - leftOut(whole.length).length
  if (endsInsidePair(whole, room)) room--
  return whole.slice(0, room) + leftOut(whole.length - room)
}

function leftOut(chars: number): string {
  return `\n[gantry left out ${chars} more characters]`
}

function endsInsidePair(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff
}
