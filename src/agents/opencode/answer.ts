/**
 * Verdicts for the plugin inside opencode, as one JSON object on stdout, always with exit 0. A small language
 * of our own:
 *
 *   {"deny": "reason"}    the plugin throws. Before a tool the model reads the reason; at a prompt opencode
 *                         takes it for an error of its own, and the reason is in its log alone
 *   {"args": {…}}         the plugin changes the tool's arguments in place
 *   {"context": "text"}   after a tool it is added to the output, before a compaction to the prompt; else to
 *                         the system prompt of the session's next requests until the turn ends, and for as
 *                         long as the session lives if it came with its start
 *
 * Verified on 1.18.33. Nothing else can be said: its `permission.ask` hook is never called, so a question
 * that stands can only be answered by the person, and a turn that ends cannot be kept going.
 */
import type { HookEvent, Verdict } from '../../events/index.ts'
import type { Answer } from '../agent.ts'
import { answerOf, joinContext, jsonReply, reasonOf } from '../reply.ts'
import {
  answerSafely,
  type ReplyCapabilities as CommonCapabilities,
  supportedDecision,
} from '../reply-capabilities.ts'

/**
 * Characters. opencode has no limit of its own; beyond this, context crowds out the work it is meant to help.
 */
export const CONTEXT_LIMIT = 50_000

const CANNOT_ASK = '(opencode cannot ask here, so it was denied.)'

interface ReplyCapabilities extends CommonCapabilities {
  /** It has happened: a refusal can only be told to the model. */
  readonly afterwards?: true
}

const NOTHING: ReplyCapabilities = { decisions: [] }
const CONTEXT: ReplyCapabilities = { decisions: [], context: true }
const RESULT: ReplyCapabilities = { decisions: [], context: true, afterwards: true }

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
  const can = CAPABILITIES.get(event.type) ?? NOTHING
  return answerSafely(verdict, (verdict) => say(verdict, can))
}

function say(verdict: Verdict, can: ReplyCapabilities): Answer {
  const degraded: string[] = []
  const output: Record<string, unknown> = {}
  const rewrites = verdict.input !== undefined && verdict.decision !== 'deny'
  if (rewrites && !can.rewrite) degraded.push('rewrite')
  const decision = supportedDecision(verdict, can, degraded)
  if (decision === 'deny') output.deny = supportedReason(verdict)
  else if (rewrites && can.rewrite) output.args = verdict.input

  const told = can.afterwards && verdict.decision === 'deny' ? [reasonOf(verdict)] : []
  const context = joinContext([...told, ...(verdict.context ?? [])], CONTEXT_LIMIT)
  if (context !== '' && can.context) output.context = context
  else if (context !== '') degraded.push('context')
  if (verdict.systemMessage) degraded.push('systemMessage')
  return answerOf(jsonReply(output), degraded)
}

function supportedReason(verdict: Verdict): string {
  const reason = reasonOf(verdict)
  return verdict.decision === 'ask' ? `${reason} ${CANNOT_ASK}` : reason
}
