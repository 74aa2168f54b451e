/** Generates the table of dialects by running events through the reducer and asking each dialect. */
import type { HookEvent } from '../../src/events/index.ts'
import {
  atm,
  coop,
  engine,
  GRACE_MS,
  phaseOf,
  type Session,
  SessionMap,
  teleclaude,
} from '../../src/sessions/state/index.ts'

const STEP_MS = 1000

interface Moment {
  readonly says: string
  readonly events: readonly Partial<HookEvent>[]
  /** How long after the last event to look. */
  readonly later?: number
  readonly seen?: boolean
}

const start = { type: 'SessionStart', source: 'startup' }
const prompt = { type: 'UserPromptSubmit', prompt: 'go' }
const tool = (name: string) => ({ type: 'PreToolUse', tool: { name, input: {}, useId: 't1' } })
const failed = { type: 'PostToolUseFailure', tool: { name: 'Bash', input: {}, useId: 't1', error: 'exit 1' } }

const MOMENTS: readonly Moment[] = [
  { says: 'a session has started', events: [start] },
  { says: 'a prompt is being worked on', events: [start, prompt] },
  { says: 'a tool runs', events: [start, prompt, tool('Bash')] },
  {
    says: 'a permission is asked for',
    events: [start, prompt, tool('Bash'), { type: 'PermissionRequest', tool: { name: 'Bash', input: {} } }],
  },
  { says: 'a question is asked', events: [start, prompt, tool('AskUserQuestion')] },
  { says: 'a plan is shown', events: [start, prompt, tool('ExitPlanMode')] },
  {
    says: 'an MCP server asks for input',
    events: [start, prompt, { type: 'Notification', notification: { type: 'elicitation_dialog' } }],
  },
  { says: 'a tool has failed, the turn goes on', events: [start, prompt, tool('Bash'), failed] },
  { says: 'the context is compacted', events: [start, prompt, { type: 'PreCompact' }] },
  { says: 'the turn has ended, less than a minute ago', events: [start, prompt, { type: 'Stop' }] },
  { says: 'the turn has ended, a minute ago', events: [start, prompt, { type: 'Stop' }], later: GRACE_MS },
  {
    says: 'the same, and a person has looked',
    events: [start, prompt, { type: 'Stop' }],
    later: GRACE_MS,
    seen: true,
  },
  {
    says: 'the turn has ended, work goes on in the background',
    events: [start, prompt, { type: 'Stop', backgroundTasks: [{ id: 'b1', status: 'running' }] }],
  },
  {
    says: 'the same, and the agent says that it waits for a prompt',
    events: [
      start,
      prompt,
      { type: 'Stop', backgroundTasks: [{ id: 'b1', status: 'running' }] },
      { type: 'Notification', notification: { type: 'idle_prompt' } },
    ],
  },
  {
    says: 'the turn ended in an API error',
    events: [start, prompt, { type: 'StopFailure', error: { kind: 'rate_limit' } }],
  },
  { says: 'the session has ended', events: [start, prompt, { type: 'SessionEnd' }] },
]

export function dialectPage(note: string): string {
  return [
    note,
    '# Session states in other tools\n',
    '`gantry sessions --dialect <name>` prints the states of sessions in the terms of another tool. Each row is a session',
    'after these events, in every dialect; – means that the dialect has no state for it (`null` in JSON). Where gantry',
    "itself uses the engine's states, in tmux and for efforts, a session that has only started counts as done.\n",
    '| when | gantry | coop | atm | engine | teleclaude |',
    '|---|---|---|---|---|---|',
    ...MOMENTS.map(rowOf),
    '',
  ].join('\n')
}

function rowOf(moment: Moment): string {
  const session = sessionAt(moment)
  const now = moment.events.length * STEP_MS + (moment.later ?? 0)
  const status = atm(session)
  const words = [
    `${phaseOf(session)}${session.detail ? ` (${session.detail})` : ''}`,
    coop(session, now),
    status === undefined ? 'removed' : atmText(status),
    engine(session) ?? '–',
    teleclaude(session) ?? '–',
  ]
  return `| ${moment.says} | ${words.join(' | ')} |`
}

function atmText(status: NonNullable<ReturnType<typeof atm>>): string {
  switch (status.status) {
    case 'Idle':
      return 'Idle'
    case 'Working':
      return status.detail ? `Working (${status.detail})` : 'Working'
    case 'AttentionNeeded':
      return `AttentionNeeded (${status.reason})`
  }
}

function sessionAt({ events, seen }: Moment): Session {
  const fleet = new SessionMap()
  events.forEach((event, i) => {
    const at = (i + 1) * STEP_MS
    const type = event.type ?? ''
    const whose = {
      agent: 'claude',
      sessionId: 's',
      client: { env: {} },
      transport: 'socket',
      raw: '',
    } as const
    fleet.apply({ id: `e${i}`, seq: i + 1, at, receivedAt: at, native: type, ...whose, ...event, type })
  })
  const session = fleet.find('s')
  if (!session) throw new Error('no session')
  return seen ? { ...session, seen } : session
}
