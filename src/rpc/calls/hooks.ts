/** The hooks as calls, for clients that send them themselves. */
import { z } from 'zod'
import { openCall } from '../definition.ts'

/** Fields that an agent sends with every event. */
const BASE = {
  session_id: '4f1c9a52-8a5b-4c1e-9f0e-2f6f7f1f1a11',
  transcript_path: '/home/dev/.claude/projects/app/4f1c9a52.jsonl',
  cwd: '/home/dev/app',
  permission_mode: 'default',
}
const TOOL = { ...BASE, tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'toolu_01' }
const CHILD = { ...BASE, agent_id: 'a7c31b0', agent_type: 'Explore' }

const payload = z.record(z.string(), z.unknown())

/** The engine checks the payload, because agents differ in what they send. */
const hook = (summary: string, example: z.infer<typeof payload>) =>
  openCall({ summary, args: payload, result: z.custom<HookResult>(), example })

export type HookResult = Readonly<Record<string, unknown>>

const userPrompt = hook(
  'Returns the state of the effort for the agent; a prompt that names a skill starts or continues one',
  { ...BASE, hook_event_name: 'UserPromptSubmit', prompt: 'go on' },
)

export const hookCalls = {
  'hooks.sessionStart': hook(
    'Opens a context window on the active effort, and returns what the last one left',
    {
      ...BASE,
      hook_event_name: 'SessionStart',
      source: 'startup',
    },
  ),
  'hooks.sessionEnd': hook('Closes the context window; its agent is done', {
    ...BASE,
    hook_event_name: 'SessionEnd',
    reason: 'prompt_input_exit',
  }),
  'hooks.preCompact': hook('Automatic compaction: closes the window; a fresh one continues', {
    ...BASE,
    hook_event_name: 'PreCompact',
    trigger: 'auto',
    custom_instructions: null,
  }),
  'hooks.preToolUse': hook(
    'Counts the call, checks heartbeat, overflow and the effort’s guards; allows anything unknown',
    { ...TOOL, hook_event_name: 'PreToolUse' },
  ),
  'hooks.postToolUse': hook(
    'Returns pending messages once; stores a question and its answer in the messages',
    {
      ...TOOL,
      hook_event_name: 'PostToolUse',
      tool_response: { stdout: 'ok' },
    },
  ),
  'hooks.postToolUseFailure': hook(
    'A tool failed: sets the agent’s status to error and stores the failure in the messages',
    {
      ...TOOL,
      hook_event_name: 'PostToolUseFailure',
      error: 'exit code 1',
      is_interrupt: false,
    },
  ),
  'hooks.stop': hook('The turn is over; tells whether a limit ended it', {
    ...BASE,
    hook_event_name: 'Stop',
    stop_hook_active: false,
    last_assistant_message: 'Done.',
  }),
  'hooks.userPrompt': userPrompt,
  'hooks.userPromptSubmit': userPrompt,
  'hooks.notification': hook('The agent needs a person: status attention', {
    ...BASE,
    hook_event_name: 'Notification',
    message: 'Claude needs your permission to use Bash',
    notification_type: 'permission_prompt',
  }),
  'hooks.permissionRequest': hook('The agent asks for permission: status attention', {
    ...BASE,
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: { command: 'rm x' },
  }),
  'hooks.teammateIdle': hook(
    'A teammate has nothing to do: its status is done, and its coordinator is notified',
    {
      ...BASE,
      hook_event_name: 'TeammateIdle',
      teammate_name: 'tester',
      team_name: 'release',
    },
  ),
  'hooks.taskCompleted': hook(
    'A task of the agent is complete: stored with the effort, and the coordinator is notified',
    {
      ...BASE,
      hook_event_name: 'TaskCompleted',
      task_id: '1',
      task_subject: 'Write the tests',
    },
  ),
  'hooks.subagentStart': hook('Opens a sub-agent’s own session on its parent’s effort', {
    ...CHILD,
    hook_event_name: 'SubagentStart',
  }),
  'hooks.subagentStop': hook(
    'Ends a sub-agent’s session and adds the files it loaded to the effort; its parent’s stays open',
    { ...CHILD, hook_event_name: 'SubagentStop', stop_hook_active: false },
  ),
  'hooks.configChange': hook('Settings changed; nothing here depends on them', {
    ...BASE,
    hook_event_name: 'ConfigChange',
    source: 'user_settings',
  }),
}
