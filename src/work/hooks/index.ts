/** The hooks, by the event they answer. */
import { notification, permissionRequest, stop, userPrompt } from './agents.ts'
import type { WorkHook } from './define.ts'
import { preCompact, sessionEnd, sessionStart } from './session.ts'
import { configChange, subagentStart, subagentStop, taskCompleted, teammateIdle } from './team.ts'
import { postToolUse, postToolUseFailure, preToolUse } from './tools.ts'

export const WORK_HOOKS: ReadonlyMap<string, WorkHook> = new Map<string, WorkHook>(
  Object.entries({
    SessionStart: sessionStart,
    SessionEnd: sessionEnd,
    PreCompact: preCompact,
    PreToolUse: preToolUse,
    PostToolUse: postToolUse,
    PostToolUseFailure: postToolUseFailure,
    Stop: stop,
    UserPromptSubmit: userPrompt,
    Notification: notification,
    PermissionRequest: permissionRequest,
    TeammateIdle: teammateIdle,
    TaskCompleted: taskCompleted,
    SubagentStart: subagentStart,
    SubagentStop: subagentStop,
    ConfigChange: configChange,
  }) as [string, WorkHook][],
)

export { RESTART_PROMPT } from './session.ts'
export type { WorkHook }
