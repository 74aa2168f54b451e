/**
 * Verdicts for the plugin inside opencode: one JSON object on stdout, always with exit 0. A protocol of our own:
 *
 *   {"deny": "reason"}    the plugin throws. Before a tool, the model reads the reason. At a prompt, opencode
 *                         reports an error of its own, and only its log has the reason
 *   {"args": {…}}         the plugin changes the tool's arguments in place
 *   {"context": "text"}   after a tool it is appended to the output, before a compaction to the prompt;
 *                         otherwise to the system prompt of the session's next requests until the turn
 *                         ends, or for the whole session if it came at its start
 *
 * Verified on 1.18.33. Nothing else can be expressed: opencode never calls its `permission.ask` hook, so only the person
 * can answer an open question, and a turn cannot be kept from ending.
 */
import type { HookEvent, Verdict } from '../../events/index.ts'
import type { Answer } from '../agent.ts'
import { answerOf, joinContext, jsonReply, reasonOf } from '../reply.ts'
import {
  answerSafely,
  CONTEXT,
  CONTEXT_LIMIT,
  PLAIN,
  RESULT,
  type ReplyCapabilities,
  supportedDecision,
  supportedInput,
  supportedReason,
} from '../reply-capabilities.ts'

/** A Map, since an event's type may be any name a payload gives, `constructor` among them. */
const CAPABILITIES: ReadonlyMap<string, ReplyCapabilities> = new Map<string, ReplyCapabilities>([
  // It comes before opencode's own permission rules, which cannot be skipped.
  ['PreToolUse', { decisions: ['deny'], rewrite: true, context: true, silence: 'own-rules' }],
  ['PostToolUse', RESULT],
  ['PostToolUseFailure', RESULT],
  ['UserPromptSubmit', { decisions: ['deny'], context: true }],
  ['SessionStart', CONTEXT],
  ['SubagentStart', CONTEXT],
  ['PreCompact', CONTEXT],
  ['PermissionRequest', { decisions: [], silence: 'asks' }],
])

export function answer(event: HookEvent, verdict: Verdict): Answer {
  const can = CAPABILITIES.get(event.type) ?? PLAIN
  return answerSafely(verdict, (verdict) => say(verdict, can))
}

function say(verdict: Verdict, can: ReplyCapabilities): Answer {
  const degraded: string[] = []
  const output: Record<string, unknown> = {}
  const input = supportedInput(verdict, can.rewrite === true, degraded)
  const decision = supportedDecision(verdict, can, degraded)
  if (decision === 'deny') output.deny = supportedReason(verdict, decision, 'opencode')
  else if (input !== undefined) output.args = input

  const told = can.afterwards && verdict.decision === 'deny' ? [reasonOf(verdict)] : []
  const context = joinContext([...told, ...(verdict.context ?? [])], CONTEXT_LIMIT)
  if (context !== '' && can.context) output.context = context
  else if (context !== '') degraded.push('context')
  if (verdict.systemMessage) degraded.push('systemMessage')
  return answerOf(jsonReply(output), degraded)
}
