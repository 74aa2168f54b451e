/**
 * Translates verdicts for Copilot CLI, verified on 1.0.102 except for SubagentStart and SubagentStop (types). Always JSON
 * and exit 0: exit 1 or 2 refuses, but stderr is not used as the reason. The fields are at the top level for both spellings
 * of the events. Only PreToolUse also accepts Claude's hookSpecificOutput, and gets it under its PascalCase name. What
 * cannot be expressed is left to the agent's default and listed in `degraded`.
 */
import type { HookEvent, Verdict } from '../../events/index.ts'
import type { Answer } from '../agent.ts'
import { answerOf, joinContext, jsonReply, reasonOf } from '../reply.ts'
import {
  answerSafely,
  CONTEXT,
  CONTEXT_LIMIT,
  type ReplyCapabilities as CommonCapabilities,
  PLAIN,
  PROMPT,
  RESULT,
  STOP,
  supportedDecision,
  supportedInput,
  supportedReason,
} from '../reply-capabilities.ts'

interface ReplyCapabilities extends CommonCapabilities {
  /** Where a decision goes: `permissionDecision`, `behavior`, or `decision: block`. */
  readonly way?: 'permission' | 'behavior' | 'block' | 'block-stop'
}

/** A Map, since an event's type may be any name a payload gives, `constructor` among them. */
const CAPABILITIES: ReadonlyMap<string, ReplyCapabilities> = new Map<string, ReplyCapabilities>([
  [
    'PreToolUse',
    {
      way: 'permission',
      decisions: ['allow', 'deny', 'ask'],
      rewrite: true,
      context: true,
      silence: 'own-rules',
    },
  ],
  // Copilot's rules run after it, and with --allow-all they ask nobody: silence does not lead to a question.
  ['PermissionRequest', { way: 'behavior', decisions: ['allow', 'deny'], silence: 'own-rules' }],
  ['UserPromptSubmit', PROMPT],
  ['Stop', STOP],
  ['SubagentStop', STOP],
  ['PostToolUse', RESULT],
  ['PostToolUseFailure', RESULT],
  ['SessionStart', CONTEXT],
  ['SubagentStart', CONTEXT],
])

export function answer(event: HookEvent, verdict: Verdict): Answer {
  const can = CAPABILITIES.get(event.type) ?? PLAIN
  return answerSafely(verdict, (verdict) => say(event, verdict, can))
}

function say(event: HookEvent, verdict: Verdict, can: ReplyCapabilities): Answer {
  const degraded: string[] = []
  // A new input is an object that replaces the whole input; apply_patch takes a text, so it cannot be rewritten.
  const takesInput = can.rewrite === true && typeof event.tool?.input !== 'string'
  const input = supportedInput(verdict, takesInput, degraded)
  const decision = supportedDecision(verdict, can, degraded)
  const reason = supportedReason(verdict, decision, 'Copilot')
  // No text for the person is shown anywhere (tried on SessionStart and PreToolUse).
  if (verdict.systemMessage) degraded.push('systemMessage')

  let context = joinContext(contexts(verdict, can), CONTEXT_LIMIT)
  const contextInReason = can.way === 'block-stop' && decision !== 'none'
  const blocked = can.way === 'block' && decision !== 'none'
  if (context !== '' && !contextInReason && (!can.context || blocked)) {
    degraded.push('context')
    context = ''
  }

  const output: Record<string, unknown> = {}
  switch (decision === 'none' ? undefined : can.way) {
    case 'permission':
      output.permissionDecision = decision
      if (decision !== 'allow' || verdict.reason) output.permissionDecisionReason = reason
      break
    case 'behavior':
      output.behavior = decision
      if (decision === 'deny') output.message = reason
      break
    case 'block':
    case 'block-stop':
      output.decision = 'block'
      output.reason = contextInReason && context !== '' ? `${reason}\n\n${context}` : reason
  }
  if (context !== '' && !contextInReason) output.additionalContext = context
  return answerOf(jsonReply(inItsForm(event, output, input)), degraded)
}

/** `PreToolUse` takes Claude's form, `preToolUse` Copilot's own; other events take the same for both. */
function inItsForm(
  event: HookEvent,
  output: Record<string, unknown>,
  input: Verdict['input'],
): typeof output {
  const asClaude = event.native === 'PreToolUse'
  if (input !== undefined) output[asClaude ? 'updatedInput' : 'modifiedArgs'] = input
  if (!asClaude || Object.keys(output).length === 0) return output
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } }
}

function contexts(verdict: Verdict, can: ReplyCapabilities): readonly string[] | undefined {
  if (!can.afterwards || verdict.decision !== 'deny') return verdict.context
  return [reasonOf(verdict), ...(verdict.context ?? [])]
}
