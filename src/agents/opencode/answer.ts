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
  type ReplyCapabilities as CommonCapabilities,
  supportedDecision,
} from '../reply-capabilities.ts'

/**
 * Characters. opencode has no limit; more context would crowd out the work it is meant to help.
 */
export const CONTEXT_LIMIT = 50_000

const CANNOT_ASK = '(opencode cannot ask here, so it was denied.)'

interface ReplyCapabilities extends CommonCapabilities {
  /** It has already happened: a refusal can only be told to the model. */
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
