/**
 * What Claude Code obeys, verified on 2.1.325 unless a line says otherwise. What cannot be expressed is left to the agent's
 * default and listed in `degraded`, never sent in a form that might mean something else.
 */
import type { HookEvent } from '../../events/index.ts'
import { CONTEXT, MUTE, PLAIN, PROMPT, STOP } from '../reply-capabilities.ts'
import { isAtLeast } from '../versions.ts'
import { type ClaudeCapabilities, claudeAnswers, type Said } from './like/answers.ts'

const EXIT: ClaudeCapabilities = { way: 'exit', decisions: ['deny'] }
const FORM: ClaudeCapabilities = { way: 'action', decisions: ['deny'], silence: 'asks' }

const CAPABILITIES: ReadonlyMap<string, ClaudeCapabilities> = new Map<string, ClaudeCapabilities>([
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

export const answer = claudeAnswers({ title: 'Claude Code', capabilities: CAPABILITIES, ignored })

/** 2.0.77 accepts a new input only together with `allow`, ignores context there, and reports neither. */
function ignored(event: HookEvent, { decision, input, context }: Said): string[] {
  if (event.type !== 'PreToolUse' || !isBefore21(event)) return []
  return [...(input && decision !== 'allow' ? ['rewrite'] : []), ...(context !== '' ? ['context'] : [])]
}

/** 2.0.77 does not report its version, but it also lacks the prompt id that 2.1 sends with every tool event. */
function isBefore21(event: HookEvent): boolean {
  if (event.agentVersion === undefined) return event.turnId === undefined
  return !isAtLeast(event.agentVersion, '2.1.0')
}
