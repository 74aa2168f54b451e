/**
 * Translates verdicts for Claude Code: JSON on stdout if the event supports it, else exit 2. Verified on 2.1.325 unless a
 * line says otherwise. What cannot be expressed is left to the agent's default and listed in `degraded`, never sent in a
 * form that might mean something else.
 */
import { EMPTY_REPLY, type HookEvent, type Verdict } from '../../events/index.ts'
import type { Answer } from '../agent.ts'
import { answerOf, blockReply, joinContext, jsonReply, reasonOf } from '../reply.ts'
import {
  answerSafely,
  type ReplyCapabilities as CommonCapabilities,
  supportedDecision,
} from '../reply-capabilities.ts'
import { isAtLeast } from '../versions.ts'

/** Characters. More context would crowd out the work it is meant to help. */
export const CONTEXT_LIMIT = 50_000

const CANNOT_ASK = '(Claude Code cannot ask here, so it was denied.)'

interface ReplyCapabilities extends CommonCapabilities {
  /** Where a decision goes: a key of hookSpecificOutput, the common `decision: block`, or exit 2. */
  readonly way?: 'permissionDecision' | 'decision' | 'action' | 'block' | 'block-stop' | 'exit'
}

const MUTE: ReplyCapabilities = { decisions: [], mute: true }
const PLAIN: ReplyCapabilities = { decisions: [] }
const CONTEXT: ReplyCapabilities = { decisions: [], context: true }
const PROMPT: ReplyCapabilities = { way: 'block', decisions: ['deny'], context: true }
const STOP: ReplyCapabilities = { way: 'block-stop', decisions: ['block-stop'] }
const EXIT: ReplyCapabilities = { way: 'exit', decisions: ['deny'] }
const FORM: ReplyCapabilities = { way: 'action', decisions: ['deny'], silence: 'asks' }

/** A Map, since an event's type may be any name a payload gives, `constructor` among them. */
const CAPABILITIES: ReadonlyMap<string, ReplyCapabilities> = new Map<string, ReplyCapabilities>([
  [
    'PreToolUse',
    { way: 'permissionDecision', decisions: ['allow', 'deny', 'ask'], rewrite: true, context: true },
  ],
  ['PreModelSwitch', { way: 'permissionDecision', decisions: ['allow', 'deny', 'ask'] }], // schema only
  ['PermissionRequest', { way: 'decision', decisions: ['allow', 'deny'], rewrite: true, silence: 'asks' }],
  ['UserPromptSubmit', PROMPT],
  ['UserPromptExpansion', PROMPT],
  ['PostToolUse', PROMPT],
  // additionalContext would continue the turn like a block, but outside of the limit on blocks.
  ['Stop', STOP],
  ['SubagentStop', STOP],
  ['PostToolBatch', { way: 'exit', decisions: ['deny'], context: true }],
  // Its output becomes an instruction for the summary.
  ['PreCompact', { way: 'exit', decisions: ['deny'], mute: true }],
  ['TaskCreated', EXIT],
  ['TaskCompleted', EXIT], // schema only, like the two below
  ['ConfigChange', EXIT],
  ['TeammateIdle', { way: 'exit', decisions: ['deny', 'block-stop'] }],
  ['Elicitation', FORM],
  ['ElicitationResult', FORM],
  ['PostToolUseFailure', CONTEXT],
  ['Notification', CONTEXT],
  ['SessionStart', CONTEXT],
  ['Setup', CONTEXT],
  ['SubagentStart', CONTEXT],
  ['PostModelSwitch', CONTEXT],
  ['PermissionDenied', { decisions: [], silence: 'refuses' }],
  ['SessionEnd', PLAIN],
  ['PostCompact', PLAIN],
  ['InstructionsLoaded', PLAIN],
  ['WorktreeRemove', PLAIN],
  ['CwdChanged', PLAIN],
  ['FileChanged', PLAIN],
  ['DirectoryAdded', PLAIN],
  ['MessageDisplay', PLAIN],
  ['StopFailure', MUTE],
  // Here stdout is the path of a worktree that replaces git's own.
  ['WorktreeCreate', MUTE],
  // Its stdout is shown as the status line.
  ['StatusLine', MUTE],
])

export function answer(event: HookEvent, verdict: Verdict): Answer {
  return answerSafely(verdict, (verdict) => say(event, verdict, CAPABILITIES.get(event.type) ?? MUTE))
}

function say(event: HookEvent, verdict: Verdict, can: ReplyCapabilities): Answer {
  const degraded: string[] = []
  const input = supportedInput(verdict, can, degraded)
  const decision = supportedDecision(verdict, can, degraded)
  const reason =
    decision === 'deny' && verdict.decision === 'ask'
      ? `${reasonOf(verdict)} ${CANNOT_ASK}`
      : reasonOf(verdict)
  const context = joinContext(verdict.context, CONTEXT_LIMIT)
  const exits = can.way === 'exit' && decision !== 'none'
  const contextInReason = can.way === 'block-stop' && decision !== 'none'

  if (context !== '' && !contextInReason && (!can.context || exits)) degraded.push('context')
  if (isBefore21(event) && event.type === 'PreToolUse') {
    // 2.0.77 accepts a new input only together with `allow`, ignores context there, and reports neither.
    if (input && decision !== 'allow') degraded.push('rewrite')
    if (context !== '') degraded.push('context')
  }
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

/** PreToolUse takes a new input with any decision; a PermissionRequest only with its `allow`. */
function supportedInput(verdict: Verdict, can: ReplyCapabilities, degraded: string[]): Verdict['input'] {
  if (verdict.input === undefined || verdict.decision === 'deny') return undefined
  if (can.rewrite && (can.way === 'permissionDecision' || verdict.decision === 'allow')) return verdict.input
  degraded.push('rewrite')
  return undefined
}

/**
 * An http hook has no exit code. Claude's schema has `decision: block` for every event, but it was never tried on these, so
 * the refusal counts as degraded.
 */
function refuse(event: HookEvent, reason: string, degraded: string[]): Answer {
  if (event.transport !== 'http') return answerOf(blockReply(reason), degraded)
  return answerOf(jsonReply({ decision: 'block', reason }), [...new Set([...degraded, 'deny'])])
}

/** 2.0.77 does not report its version, but it also lacks the prompt id that 2.1 sends with every tool event. */
function isBefore21(event: HookEvent): boolean {
  if (event.agentVersion === undefined) return event.turnId === undefined
  return !isAtLeast(event.agentVersion, '2.1.0')
}
