/**
 * Translates verdicts for Gemini CLI, verified on 0.61.0: `decision` and `reason` at the top level, the rest in
 * hookSpecificOutput. Always JSON and exit 0: exit 2 without output lets the tool run, and any other exit above 1 with
 * output blocks it. Gemini CLI ignores Claude Code's `permissionDecision`.
 */
import { EMPTY_REPLY, type HookEvent, type Verdict } from '../../events/index.ts'
import type { Answer } from '../agent.ts'
import { answerOf, joinContext, jsonReply, reasonOf } from '../reply.ts'
import {
  answerSafely,
  CONTEXT_LIMIT,
  type ReplyCapabilities as CommonCapabilities,
  type Decision,
  MUTE,
  PLAIN,
  supportedDecision,
  supportedInput,
  supportedReason,
} from '../reply-capabilities.ts'

interface ReplyCapabilities extends CommonCapabilities {
  /** The event's own name, for hookSpecificOutput. */
  readonly name?: string
  /** The model reads the reason of a refusal, so context can be appended to it. */
  readonly reasonToModel?: true
  /** `continue: false` ends the turn; no AfterAgent follows. */
  readonly stops?: true
}

const RESULT: ReplyCapabilities = {
  name: 'AfterTool',
  decisions: ['deny'],
  context: true,
  reasonToModel: true,
}

/** A Map, since an event's type may be any name a payload gives, `constructor` among them. */
const CAPABILITIES: ReadonlyMap<string, ReplyCapabilities> = new Map<string, ReplyCapabilities>([
  [
    'PreToolUse',
    {
      name: 'BeforeTool',
      // Every answer without a refusal counts as `allow`; Gemini's own policy still follows. `ask` asks even with --yolo.
      // In a headless run nobody can answer, and the run ends.
      decisions: ['deny', 'ask'],
      rewrite: true,
      silence: 'own-rules',
      reasonToModel: true,
      stops: true,
    },
  ],
  ['PostToolUse', RESULT], // the reason replaces the tool's result
  ['PostToolUseFailure', RESULT],
  ['UserPromptSubmit', { name: 'BeforeAgent', decisions: ['deny'], context: true }],
  ['Stop', { name: 'AfterAgent', decisions: ['block-stop'], reasonToModel: true }],
  ['SessionStart', { name: 'SessionStart', decisions: [], context: true }],
  ['PreModelRequest', { decisions: ['deny'] }], // no request is made
  // A refused chunk is shown anyway (bundle), so AfterModel gets no decision.
  ['PostModelRequest', PLAIN],
  ['PreToolSelection', PLAIN],
  // The dialog is open, and only the person can answer it.
  ['Notification', { decisions: [], silence: 'asks' }],
  ['PreCompact', PLAIN],
  ['SessionEnd', PLAIN],
])

export function answer(event: HookEvent, verdict: Verdict): Answer {
  const can: ReplyCapabilities = CAPABILITIES.get(event.type) ?? MUTE
  return answerSafely(verdict, (verdict) => say(verdict, can))
}

function say(verdict: Verdict, can: ReplyCapabilities): Answer {
  const degraded: string[] = []
  // It replaces the whole input; 0.61.0 rejects one that lacks a required argument.
  const input = supportedInput(verdict, can.rewrite === true, degraded)
  const decision = supportedDecision(verdict, can, degraded)
  const refuses = decision === 'deny' || decision === 'block-stop'
  const context = joinContext(verdict.context, CONTEXT_LIMIT)
  const contextInReason = refuses && can.reasonToModel === true

  const output: Record<string, unknown> = {}
  const specific: Record<string, unknown> = {}
  if (decision !== 'none') {
    const reason = supportedReason(verdict, decision, 'Gemini CLI')
    output.decision = decision === 'ask' ? 'ask' : 'deny'
    output.reason = contextInReason && context !== '' ? `${reason}\n\n${context}` : reason
  }
  if (input !== undefined) specific.tool_input = input
  // Only effective with a refused stop: the reason becomes the first prompt of an empty conversation.
  if (verdict.clearContext && decision === 'block-stop') specific.clearContext = true
  if (context !== '' && !contextInReason) {
    // Beside a refusal it would not be read.
    if (can.context && !refuses) specific.additionalContext = context
    else degraded.push('context')
  }
  const systemMessage = messageFor(verdict, decision)
  if (systemMessage && can.mute) degraded.push('systemMessage')
  else if (systemMessage) output.systemMessage = systemMessage
  if (can.mute) return answerOf(EMPTY_REPLY, degraded)
  if (Object.keys(specific).length > 0) {
    output.hookSpecificOutput = { hookEventName: can.name, ...specific }
  }
  if (!verdict.stop || !can.stops || decision !== 'deny') return answerOf(jsonReply(output), degraded)
  const reply = jsonReply({ ...output, continue: false, stopReason: output.reason })
  return { ...answerOf(reply, degraded), endsTurn: true }
}

/** The dialog of an `ask` shows the system message, not the reason (bundle). */
function messageFor(verdict: Verdict, decision: Decision): string | undefined {
  if (decision !== 'ask') return verdict.systemMessage
  const reason = reasonOf(verdict)
  return verdict.systemMessage ? `${reason}\n${verdict.systemMessage}` : reason
}
