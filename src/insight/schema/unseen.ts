/**
 * Known events that an agent has never sent, with what triggers each, for users who want to learn a complete schema.
 * The known events are those of the shipped baselines.
 */
import { agentFor } from '../../agents/index.ts'
import { isKnownType, type KnownEventType } from '../../events/index.ts'
import type { Baseline, Kind } from '../../rpc/index.ts'

export interface Unseen {
  readonly agent: string
  readonly event: string
  /** Absent for the many rarely used events of opencode. */
  readonly trigger?: string
}

/** By canonical type; the agents' records have the words for events of their own. */
const TRIGGERS: Readonly<Record<KnownEventType, string>> = {
  SessionStart: 'start the agent in a folder whose hooks are wired',
  SessionEnd: 'leave the session: /exit, or Ctrl+D',
  Setup: 'start the agent with its option for a first setup',
  UserPromptSubmit: 'send a prompt',
  UserPromptExpansion: 'send a slash command that expands to a prompt',
  PreToolUse: 'ask for something that needs a tool: "list the files here"',
  PostToolUse: 'let a tool end well: "list the files here"',
  PostToolUseFailure: 'let a tool fail: "read the file /does/not/exist"',
  PostToolBatch: 'let several tools run in one step: "read a.txt and b.txt at once"',
  PermissionRequest: 'ask for a command that needs permission, without bypassing permissions: "run touch x"',
  PermissionDenied: 'say no in a permission dialog, in a mode that denies by rule',
  Notification: 'leave a finished session alone for a minute, or a permission dialog open',
  Stop: 'let a turn end',
  StopFailure: 'let a request to the model fail: an invalid key, or a rate limit',
  Interrupt: 'press Esc while the agent works',
  SubagentStart: 'ask for a sub-agent: "use a sub-agent to count the files"',
  SubagentStop: 'let a sub-agent end',
  PreCompact: 'type /compact; auto comes when the context is full',
  PostCompact: 'type /compact, and wait for its end',
  PreModelRequest: 'send a prompt',
  PostModelRequest: 'send a prompt, and let the model answer',
  PreToolSelection: 'send a prompt',
  PreModelSwitch: 'type /model and choose another',
  PostModelSwitch: 'type /model and choose another',
  TeammateIdle: 'make a team of agents, and let one run out of work',
  TaskCreated: 'ask for a task list: "plan this in tasks"',
  TaskCompleted: 'let a task of the list be completed',
  Elicitation: 'use a tool of an MCP server that asks for input',
  ElicitationResult: 'answer what an MCP server asks',
  ConfigChange: 'change a settings file while a session runs',
  InstructionsLoaded: 'start a session in a folder with a CLAUDE.md',
  WorktreeCreate: 'start with --worktree, or a sub-agent that is isolated in a worktree',
  WorktreeRemove: 'end a session that has a worktree of its own',
  CwdChanged: 'let a command change the folder: "cd into src and stay there"',
  FileChanged: 'change a file that a hook watches',
  DirectoryAdded: 'type /add-dir with another folder',
  MessageDisplay: 'let the model answer',
  StatusLine: 'let the agent draw its status line',
}

/** Unseen events of the agents seen so far; those with a trigger first. */
export function unseenEvents(kinds: Iterable<Kind>, baselines: readonly Baseline[]): Unseen[] {
  const seen = new Map<string, Set<string>>()
  for (const { agent, event } of kinds) {
    const names = seen.get(agent) ?? new Set()
    seen.set(agent, names.add(nameOf(agent, event)))
  }
  return [...seen].flatMap(([agent, names]) => {
    const newest = baselines.findLast((one) => one.agent === agent)
    const missing = new Set<string>()
    for (const event of Object.keys(newest?.events ?? {})) {
      const name = nameOf(agent, event)
      if (!names.has(name)) missing.add(name)
    }
    return [...missing].map((event) => unseen(agent, event)).sort(byName)
  })
}

function nameOf(agent: string, event: string): string {
  return agentFor(agent).otherNames?.get(event) ?? event
}

function unseen(agent: string, event: string): Unseen {
  const { events, settings, triggers } = agentFor(agent)
  const isHook = settings?.hooks.some((hook) => hook.event === event)
  const trigger =
    triggers?.[event] ?? triggerOf(event) ?? (isHook ? triggerOf(events[event]?.type ?? '') : undefined)
  return { agent, event, ...(trigger === undefined ? {} : { trigger }) }
}

function triggerOf(type: string): string | undefined {
  return isKnownType(type) ? TRIGGERS[type] : undefined
}

function byName(a: Unseen, b: Unseen): number {
  return Number(a.trigger === undefined) - Number(b.trigger === undefined) || (a.event < b.event ? -1 : 1)
}
