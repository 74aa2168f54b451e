/**
 * Translates verdicts for Codex, verified on 0.166.0. It uses Claude Code's words but reads them more strictly: a key
 * outside of the event's schema, an unsupported value or a refusal without a reason voids the whole answer, and the tool
 * runs. So only what the schema has is sent, and never an exit code.
 */
import { EMPTY_REPLY, type HookEvent, type Verdict } from '../../events/index.ts'
import type { Answer } from '../agent.ts'
import { answerOf, joinContext, jsonReply } from '../reply.ts'
import {
  answerSafely,
  CONTEXT,
  type ReplyCapabilities as CommonCapabilities,
  type Decision,
  MUTE,
  PLAIN,
  PROMPT,
  STOP,
  supportedDecision,
  supportedInput,
  supportedReason,
} from '../reply-capabilities.ts'
import { TURN_COMPLETE } from './notify.ts'

/** Characters. Codex cuts context at 2,500 tokens of four characters and moves the middle to a file. */
export const CONTEXT_LIMIT = 10_000

interface ReplyCapabilities extends CommonCapabilities {
  /** Where a decision goes: a key of hookSpecificOutput, or the common `decision: block`. */
  readonly way?: 'permissionDecision' | 'decision' | 'block' | 'block-stop'
}

/** A Map, since an event's type may be any name a payload gives, `constructor` among them. */
const CAPABILITIES: ReadonlyMap<string, ReplyCapabilities> = new Map<string, ReplyCapabilities>([
  [
    'PreToolUse',
    { way: 'permissionDecision', decisions: ['deny'], rewrite: true, context: true, silence: 'own-rules' },
  ],
  // updatedInput, updatedPermissions and interrupt are reserved: their mere presence denies.
  ['PermissionRequest', { way: 'decision', decisions: ['allow', 'deny'], silence: 'asks' }],
  ['UserPromptSubmit', PROMPT],
  ['PostToolUse', PROMPT], // the reason replaces the tool's output
  ['Stop', STOP],
  ['SubagentStop', STOP],
  ['SessionStart', CONTEXT],
  ['SubagentStart', CONTEXT],
  // `continue: false` would end the whole turn instead of skipping the compaction.
  ['PreCompact', PLAIN],
  ['PostCompact', PLAIN],
  ['Interrupt', PLAIN],
  // These only observe: they have no output schema, and their output is ignored.
  ['SessionEnd', MUTE],
  ['PreModelRequest', MUTE],
  ['PostModelRequest', MUTE],
  ['StopFailure', MUTE],
])

export function answer(event: HookEvent, verdict: Verdict): Answer {
  // The notify program's stdout goes nowhere, and nobody waits for it.
  const can = event.native === TURN_COMPLETE ? MUTE : (CAPABILITIES.get(event.type) ?? MUTE)
  return answerSafely(verdict, (verdict) => say(event, verdict, can))
}

function say(event: HookEvent, verdict: Verdict, can: ReplyCapabilities): Answer {
  const degraded: string[] = []
  const given = supportedInput(verdict, can.rewrite === true, degraded)
  // A question becomes a refusal here, and what is refused needs no other input.
  const input = verdict.decision === 'ask' ? undefined : given
  const decision = supportedDecision(verdict, can, degraded)
  const reason = supportedReason(verdict, decision, 'Codex')
  const context = joinContext(verdict.context, CONTEXT_LIMIT)
  const contextInReason = can.way === 'block-stop' && decision !== 'none'

  const output: Record<string, unknown> = {}
  let specific: Record<string, unknown> = {}
  switch (can.way) {
    case 'permissionDecision':
      specific = permission(decision, reason, input)
      break
    case 'decision':
      if (decision === 'deny') specific.decision = { behavior: 'deny', message: reason }
      else if (decision === 'allow') specific.decision = { behavior: 'allow' }
      break
    case 'block':
    case 'block-stop':
      if (decision === 'none') break
      output.decision = 'block'
      output.reason = contextInReason && context !== '' ? `${reason}\n\n${context}` : reason
  }
  if (context !== '' && !contextInReason) {
    if (can.context) specific.additionalContext = context
    else degraded.push('context')
  }
  if (verdict.systemMessage) {
    if (can.mute) degraded.push('systemMessage')
    else output.systemMessage = verdict.systemMessage
  }
  if (can.mute) return answerOf(EMPTY_REPLY, degraded)
  if (Object.keys(specific).length > 0) output.hookSpecificOutput = { hookEventName: event.type, ...specific }
  return answerOf(jsonReply(output), degraded)
}

/**
 * A new input counts only beside an `allow`, and a bare `allow` is void. It grants no permission: the person is still asked
 * about the new input.
 */
function permission(decision: Decision, reason: string, input: Verdict['input']): Record<string, unknown> {
  if (decision === 'deny') return { permissionDecision: 'deny', permissionDecisionReason: reason }
  return input === undefined ? {} : { permissionDecision: 'allow', updatedInput: input }
}
