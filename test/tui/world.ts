/**
 * A fleet of twelve sessions of five agents in four projects, told to a daemon in each agent's own words: one that waits
 * for a permission, one with a question, one that failed, sub-agents, background work, compaction, a full context.
 *
 *   const world = await makeWorld(home)
 *   await world.tell('release', 'Stop', { last_assistant_message: 'done' })
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Places } from '../../src/core/files/paths.ts'
import { sendFrame, tempDir } from '../kit.ts'

const MINUTE = 60
const HALF = 30 // seconds between two minutes, so that an age says the same for a while

interface Member {
  readonly id: string
  readonly agent: string
  readonly at: keyof typeof PROJECTS
  /** Frames, each so many seconds ago. */
  readonly story: readonly (readonly [secondsAgo: number, event: string, payload: Record<string, unknown>])[]
}

/** Folder and branch of each checkout; a linked worktree says whose. */
const PROJECTS = {
  acme: { branch: 'main' },
  'acme-billing': { branch: 'feature/billing', of: 'acme' },
  atlas: { branch: 'main' },
  infra: { branch: 'main' },
  website: { branch: 'redesign' },
} as const satisfies Record<string, { branch: string; of?: string }>

const claudeId = (n: number) => `${n}c0ffee0-1111-4222-8333-00000000000${n}`
const prompt = (text: string) => ({ prompt: text })
const use = (tool_name: string, tool_input: unknown, tool_use_id: string) => ({
  tool_name,
  tool_input,
  tool_use_id,
})
const usage = (pct: number, usd: number) => ({
  model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
  version: '2.1.325',
  cost: { total_cost_usd: usd },
  context_window: { context_window_size: 200_000, used_percentage: pct },
})

const QUESTION = {
  questions: [
    {
      question: 'How should invoices be numbered?',
      header: 'Numbers',
      multiSelect: false,
      options: [
        { label: 'Per customer', description: 'each customer starts at 1' },
        { label: 'One sequence', description: 'what the auditors expect' },
        { label: 'Year and sequence', description: '2026-000123' },
      ],
    },
  ],
}

export const MEMBERS = {
  release: {
    id: claudeId(1),
    agent: 'claude',
    at: 'acme',
    story: [
      [14 * MINUTE, 'SessionStart', { source: 'startup' }],
      [13 * MINUTE, 'UserPromptSubmit', prompt('cut the 2.4 release and publish it')],
      [12 * MINUTE, 'PreToolUse', use('Bash', { command: 'npm test' }, 'a1')],
      [
        11 * MINUTE,
        'PostToolUse',
        { ...use('Bash', { command: 'npm test' }, 'a1'), duration_ms: 48_200, tool_response: '' },
      ],
      [9 * MINUTE, 'PreToolUse', use('Edit', { file_path: 'CHANGELOG.md' }, 'a2')],
      [
        9 * MINUTE,
        'PostToolUse',
        { ...use('Edit', { file_path: 'CHANGELOG.md' }, 'a2'), duration_ms: 12, tool_response: '' },
      ],
      [5 * MINUTE, 'statusLine', usage(46, 1.92)],
      [3 * MINUTE - HALF, 'PreToolUse', use('Bash', { command: 'git push --tags && npm publish' }, 'a3')],
      [
        3 * MINUTE - HALF,
        'PermissionRequest',
        { tool_name: 'Bash', tool_input: { command: 'git push --tags && npm publish' } },
      ],
    ],
  },
  flaky: {
    id: '01a1dd15-b5ef-73e1-b87c-0000000000c1',
    agent: 'codex',
    at: 'acme',
    story: [
      [22 * MINUTE, 'SessionStart', { source: 'startup', model: 'gpt-5.6-sol' }],
      [
        7 * MINUTE + HALF,
        'UserPromptSubmit',
        { ...prompt('find out why the upload test is flaky'), model: 'gpt-5.6-sol' },
      ],
      [
        2 * MINUTE,
        'PreToolUse',
        use('Bash', { command: 'for i in $(seq 50); do npm test -- upload; done' }, 'b1'),
      ],
    ],
  },
  billing: {
    id: claudeId(2),
    agent: 'claude',
    at: 'acme-billing',
    story: [
      [55 * MINUTE, 'SessionStart', { source: 'startup' }],
      [40 * MINUTE, 'UserPromptSubmit', prompt('add invoices with VAT to the billing service')],
      [10 * MINUTE, 'statusLine', usage(71, 3.4)],
      [8 * MINUTE + HALF, 'PreToolUse', use('AskUserQuestion', QUESTION, 'c1')],
    ],
  },
  invoices: {
    id: 'c5d12773-5f7b-433b-b4ac-00000000000a',
    agent: 'gemini',
    at: 'acme-billing',
    story: [
      [30 * MINUTE, 'SessionStart', { source: 'startup' }],
      [4 * MINUTE + HALF, 'BeforeAgent', prompt('write fixtures for twenty invoices')],
      [
        MINUTE + HALF,
        'BeforeTool',
        { tool_name: 'write_file', tool_input: { file_path: 'test/fixtures/invoices.json' } },
      ],
    ],
  },
  search: {
    id: claudeId(3),
    agent: 'claude',
    at: 'atlas',
    story: [
      [70 * MINUTE, 'SessionStart', { source: 'startup' }],
      [
        12 * MINUTE + HALF,
        'UserPromptSubmit',
        prompt('make search ten times faster, measure before and after'),
      ],
      [9 * MINUTE, 'statusLine', usage(38, 4.87)],
      [
        6 * MINUTE + HALF,
        'PreToolUse',
        use('Task', { description: 'index layout', subagent_type: 'Explore' }, 'd1'),
      ],
      [6 * MINUTE + HALF, 'SubagentStart', { agent_id: 'sub1', agent_type: 'Explore' }],
      [
        3 * MINUTE + HALF,
        'PreToolUse',
        use('Task', { description: 'bench', subagent_type: 'benchmarker' }, 'd2'),
      ],
      [3 * MINUTE + HALF, 'SubagentStart', { agent_id: 'sub2', agent_type: 'benchmarker' }],
    ],
  },
  docs: {
    id: '042442f4-c95d-48af-af5a-6431bdee98c9',
    agent: 'copilot',
    at: 'atlas',
    story: [
      [25 * MINUTE, 'sessionStart', { source: 'new' }],
      [24 * MINUTE, 'userPromptSubmitted', prompt('explain the cache in docs/cache.md')],
      [16 * MINUTE + HALF, 'agentStop', { stopReason: 'end_turn', stop_hook_active: false }],
    ],
  },
  types: {
    id: 'ses_e22f07fdcffe5xsKD58kvme276',
    agent: 'opencode',
    at: 'atlas',
    story: [
      [
        19 * MINUTE,
        'session.created',
        {
          type: 'session.created',
          properties: {
            sessionID: '$id',
            info: {
              id: '$id',
              version: '1.18.33',
              directory: '$cwd',
              title: 'Stricter types for the planner',
            },
          },
        },
      ],
      [
        5 * MINUTE + HALF,
        'chat.message',
        {
          input: { sessionID: '$id' },
          output: {
            message: { id: 'm1', role: 'user', sessionID: '$id' },
            parts: [{ type: 'text', text: 'no any in the planner' }],
          },
        },
      ],
      [
        HALF + MINUTE,
        'tool.execute.before',
        {
          input: { tool: 'edit', sessionID: '$id', callID: 'e1' },
          output: { args: { filePath: 'src/planner.ts' } },
        },
      ],
    ],
  },
  hero: {
    id: claudeId(4),
    agent: 'claude',
    at: 'website',
    story: [
      [45 * MINUTE, 'SessionStart', { source: 'startup' }],
      [18 * MINUTE, 'UserPromptSubmit', prompt('rebuild the hero with the new brand colours')],
      [12 * MINUTE, 'statusLine', usage(22, 0.74)],
      [
        10 * MINUTE + HALF,
        'StopFailure',
        {
          error: 'rate_limit',
          error_details: '429 Too many requests',
          last_assistant_message: 'API Error: rate limit reached',
        },
      ],
    ],
  },
  copy: {
    id: claudeId(5),
    agent: 'claude',
    at: 'website',
    story: [
      [3 * 60 * MINUTE, 'SessionStart', { source: 'startup' }],
      [21 * MINUTE + HALF, 'UserPromptSubmit', prompt('translate every page to French and 日本語')],
      [4 * MINUTE, 'statusLine', usage(94, 12.61)],
      [MINUTE, 'PreCompact', { trigger: 'auto', custom_instructions: '' }],
    ],
  },
  deploy: {
    id: claudeId(6),
    agent: 'claude',
    at: 'infra',
    story: [
      [100 * MINUTE, 'SessionStart', { source: 'startup' }],
      [26 * MINUTE + HALF, 'UserPromptSubmit', prompt('roll out the new cluster to staging and watch it')],
      [20 * MINUTE, 'statusLine', usage(83, 6.05)],
      [
        11 * MINUTE,
        'Stop',
        {
          stop_hook_active: false,
          last_assistant_message: 'The rollout runs; I look again when it ends.',
          background_tasks: [
            { id: 'bg1', type: 'shell', status: 'running', description: 'kubectl rollout status' },
          ],
        },
      ],
    ],
  },
  cleanup: {
    id: '01a1dd15-b5ef-73e1-b87c-0000000000c2',
    agent: 'codex',
    at: 'infra',
    story: [
      [4 * 60 * MINUTE, 'SessionStart', { source: 'startup', model: 'gpt-5.6-sol' }],
      [
        200 * MINUTE,
        'UserPromptSubmit',
        { ...prompt('list terraform modules nobody uses'), model: 'gpt-5.6-sol' },
      ],
      [
        150 * MINUTE,
        'Stop',
        {
          stop_hook_active: false,
          last_assistant_message: 'Seven modules have no caller.',
          model: 'gpt-5.6-sol',
        },
      ],
    ],
  },
  fresh: {
    id: claudeId(7),
    agent: 'claude',
    at: 'infra',
    story: [[MINUTE + HALF, 'SessionStart', { source: 'startup' }]],
  },
} as const satisfies Record<string, Member>

export type MemberName = keyof typeof MEMBERS

export interface World {
  /** Another hook of a session, now or so many seconds ago. */
  tell(
    name: MemberName,
    event: string,
    payload: Record<string, unknown>,
    header?: Record<string, unknown>,
  ): Promise<void>
}

/** `panes` says which session is in which tmux pane. */
export async function makeWorld(
  at: Places,
  headers: Partial<Record<MemberName, Record<string, unknown>>> = {},
): Promise<World> {
  const folders = makeProjects(tempDir())
  const now = Date.now()
  const send = async (
    name: MemberName,
    time: number,
    event: string,
    payload: Record<string, unknown>,
    header = {},
  ) => {
    const { id, agent, at: project }: Member = MEMBERS[name]
    const cwd = folders[project]
    const own = { ppid: 1, pid: undefined, ...headers[name], ...header }
    await sendFrame(at, {
      agent,
      event,
      at: time,
      payload: JSON.stringify(framed(agent, id, cwd, event, payload)),
      header: own,
    })
  }
  const frames = (Object.keys(MEMBERS) as MemberName[]).flatMap((name) => {
    const story: Member['story'] = MEMBERS[name].story
    return story.map(([ago, event, payload]) => ({ name, time: now - ago * 1000, event, payload }))
  })
  for (const { name, time, event, payload } of frames.sort((a, b) => a.time - b.time))
    await send(name, time, event, payload)
  return { tell: (name, event, payload, header) => send(name, Date.now(), event, payload, header) }
}

function framed(agent: string, id: string, cwd: string, event: string, payload: Record<string, unknown>) {
  if (agent === 'copilot') return { sessionId: id, timestamp: Date.now(), cwd, ...payload }
  if (agent === 'opencode')
    return JSON.parse(JSON.stringify(payload).replaceAll('$id', id).replaceAll('$cwd', cwd)) as object
  return { session_id: id, cwd, hook_event_name: event, ...payload }
}

/** Checkouts as git leaves them, as far as gantry reads them. */
function makeProjects(root: string): Record<keyof typeof PROJECTS, string> {
  const folders = {} as Record<keyof typeof PROJECTS, string>
  for (const [name, project] of Object.entries(PROJECTS) as [
    keyof typeof PROJECTS,
    { branch: string; of?: string },
  ][]) {
    const folder = join(root, name)
    const git =
      project.of === undefined ? join(folder, '.git') : join(root, project.of, '.git/worktrees', name)
    for (const dir of [folder, git]) mkdirSync(dir, { recursive: true })
    writeFileSync(join(git, 'HEAD'), `ref: refs/heads/${project.branch}\n`)
    if (project.of !== undefined) writeFileSync(join(folder, '.git'), `gitdir: ${git}\n`)
    folders[name] = folder
  }
  return folders
}

export const GOLDEN = join(dirname(import.meta.path), 'golden')
