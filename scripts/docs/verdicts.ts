/**
 * Generates "Who can do what": applies every verdict to every event of every agent, and shows what the answer could not
 * express.
 */
import { type Agent, agents } from '../../src/agents/index.ts'
import { EMPTY_REPLY, type HookEvent, type Verdict } from '../../src/events/index.ts'

const VERDICTS: Readonly<Record<string, Verdict>> = {
  allow: { decision: 'allow', reason: 'r' },
  deny: { decision: 'deny', reason: 'r' },
  ask: { decision: 'ask', reason: 'r' },
  rewrite: { decision: 'allow', reason: 'r', input: { command: 'x' } },
  context: { decision: 'none', context: ['c'] },
  'block-stop': { decision: 'block-stop', reason: 'r' },
}

const LEGEND = [
  '`✓` supported · `~` replaced by something similar and safe (an `ask` becomes a `deny` with the reason) ·',
  '`·` not supported: the agent continues as usual, and `gantry doctor` counts the verdict.',
]

export function verdictPage(note: string): string {
  return [note, '# Who can do what\n', ...LEGEND, '', ...[...agents.values()].flatMap(tableOf), ''].join('\n')
}

function tableOf(agent: Agent): string[] {
  const names = Object.keys(VERDICTS)
  const rows = Object.keys(agent.events).flatMap((native) => {
    const cells = names.map((name) => cellOf(agent, native, name))
    return cells.every((cell) => cell === '·') ? [] : [`| ${native} | ${cells.join(' | ')} |`]
  })
  const limit = agent.contextLimit
    ? ` Context up to ${agent.contextLimit.toLocaleString('en')} characters.`
    : ''
  return [
    `## ${agent.id}\n`,
    `Events that are not listed take no answer.${limit}${agent.answerNote ? `\n${agent.answerNote}` : ''}\n`,
    `| event | ${names.join(' | ')} |`,
    `|---|${names.map(() => '---|').join('')}`,
    ...rows,
    '',
  ]
}

function cellOf(agent: Agent, native: string, name: string): string {
  const verdict = VERDICTS[name]
  if (!verdict) return '·'
  const { reply, degraded = [] } = agent.answer(eventOf(agent, native), verdict)
  if (reply === EMPTY_REPLY) return '·'
  const missed =
    degraded.includes(name) ||
    (name === 'rewrite' && degraded.includes('allow') && !reply.stdout.includes('"x"'))
  if (!missed) return '✓'
  return degraded.includes('ask') ? '~' : '·'
}

/** The event as the newest known version sends it. */
function eventOf(agent: Agent, native: string): HookEvent {
  const payload = {
    session_id: 's',
    prompt_id: 'p',
    tool_name: 'Bash',
    tool_input: { command: 'y' },
    type: native,
    toolName: 'bash',
    toolArgs: { command: 'y' },
  }
  const now = 0
  return agent.read(payload, {
    id: 'e',
    at: now,
    receivedAt: now,
    agent: agent.id,
    event: native,
    client: { env: {} },
    transport: 'socket',
    raw: JSON.stringify(payload),
  })
}
