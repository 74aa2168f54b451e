/**
 * Verdicts in Claude Code's words: JSON on stdout if the event supports it, else exit 2. Other agents took over the
 * format, so each agent that speaks it has only a table of what it obeys.
 *
 *   export const answer = claudeAnswers({ title: 'Qwen Code', capabilities: new Map([['Stop', STOP]]) })
 */
import { EMPTY_REPLY, type HookEvent, type Verdict } from '../../../events/index.ts'
import type { Answer } from '../../agent.ts'
import { answerOf, blockReply, joinContext, jsonReply } from '../../reply.ts'
import {
  answerSafely,
  CONTEXT_LIMIT,
  type Decision,
  MUTE,
  type ReplyCapabilities,
  supportedDecision,
  supportedInput,
  supportedReason,
} from '../../reply-capabilities.ts'

export interface ClaudeCapabilities extends ReplyCapabilities {
  /** Where a decision goes: a key of hookSpecificOutput, the common `decision: block`, or exit 2. */
  readonly way?: 'permissionDecision' | 'decision' | 'action' | 'block' | 'block-stop' | 'exit'
}

interface ClaudeSpeaker {
  /** The name that people use. */
  readonly title: string
  /** By type of event. A Map, since a type may be any name a payload gives, `constructor` among them. */
  readonly capabilities: ReadonlyMap<string, ClaudeCapabilities>
  /** What of an answer this version of the agent ignores without a word. */
  ignored?(event: HookEvent, said: Said): readonly string[]
}

export interface Said {
  readonly decision: Decision
  readonly input: Verdict['input']
  readonly context: string
}

export function claudeAnswers(speaker: ClaudeSpeaker): (event: HookEvent, verdict: Verdict) => Answer {
  return (event, verdict) => {
    const can: ClaudeCapabilities = speaker.capabilities.get(event.type) ?? MUTE
    return answerSafely(verdict, (verdict) => say(speaker, event, verdict, can))
  }
}

function say(
  { title, ignored }: ClaudeSpeaker,
  event: HookEvent,
  verdict: Verdict,
  can: ClaudeCapabilities,
): Answer {
  const degraded: string[] = []
  // PreToolUse takes a new input with any decision; a PermissionRequest only with its `allow`.
  const takesInput = can.way === 'permissionDecision' || verdict.decision === 'allow'
  const input = supportedInput(verdict, can.rewrite === true && takesInput, degraded)
  const decision = supportedDecision(verdict, can, degraded)
  const reason = supportedReason(verdict, decision, title)
  const context = joinContext(verdict.context, CONTEXT_LIMIT)
  const exits = can.way === 'exit' && decision !== 'none'
  const contextInReason = can.way === 'block-stop' && decision !== 'none'

  if (context !== '' && !contextInReason && (!can.context || exits)) degraded.push('context')
  degraded.push(...(ignored?.(event, { decision, input, context }) ?? []))
  if (verdict.systemMessage && (can.mute || exits)) degraded.push('systemMessage')
  if (exits) return refuse(event, reason, degraded)
  if (can.mute) return answerOf(EMPTY_REPLY, degraded)

  const output: Record<string, unknown> = {}
  const specific: Record<string, unknown> = {}
  switch (decision === 'none' ? undefined : can.way) {
    case 'permissionDecision':
      specific.permissionDecision = decision
      if (decision !== 'allow' || verdict.reason) specific.permissionDecisionReason = reason
      break
    case 'decision':
      specific.decision =
        decision === 'deny'
          ? { behavior: 'deny', message: reason }
          : { behavior: 'allow', ...(input && { updatedInput: input }) }
      break
    case 'action':
      specific.action = 'decline'
      break
    case 'block':
    case 'block-stop':
      output.decision = 'block'
      output.reason = contextInReason && context !== '' ? `${reason}\n\n${context}` : reason
  }
  if (verdict.systemMessage) output.systemMessage = verdict.systemMessage
  if (can.way === 'permissionDecision' && input) specific.updatedInput = input
  if (can.context && context !== '') specific.additionalContext = context
  // The name must be the event's own, or the whole answer is void.
  if (Object.keys(specific).length > 0) output.hookSpecificOutput = { hookEventName: event.type, ...specific }
  return answerOf(jsonReply(output), degraded)
}

/**
 * An http hook has no exit code. Claude's schema has `decision: block` for every event, but it was never tried on these, so
 * the refusal counts as degraded.
 */
function refuse(event: HookEvent, reason: string, degraded: string[]): Answer {
  if (event.transport !== 'http') return answerOf(blockReply(reason), degraded)
  return answerOf(jsonReply({ decision: 'block', reason }), [...new Set([...degraded, 'deny'])])
}
