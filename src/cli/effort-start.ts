/** The beginning of a piece of work that outlives context windows. */
import { resolve } from 'node:path'
import { call, type EffortBegun, type EffortView } from '../client/index.ts'
import { GantryError } from '../core/errors.ts'
import type { Places } from '../core/paths.ts'
import { ordinal } from '../core/text.ts'
import { type Command, type Input, stringFlag } from './command.ts'
import { JSON_OPTION, parsedJson, told } from './effort.ts'
import { dim, plain, short, yellow } from './terminal.ts'

export const effortStart: Command = {
  name: 'effort start',
  summary: 'Begin an effort: work that outlives context windows',
  usage: '<skill> [--title <text>] [--phase <name>] [--task <dir>] [--keywords <a,b>]',
  takes: Infinity,
  options: {
    title: { type: 'string', value: 'text', help: 'What a new task is called (default: the project)' },
    phase: { type: 'string', value: 'name', help: 'The phase it begins in' },
    mode: { type: 'string', value: 'name', help: 'How the skill is done, a word of your own' },
    task: {
      type: 'string',
      value: 'dir',
      help: 'Folder of the task, for its files (default: in the state folder)',
    },
    keywords: { type: 'string', value: 'a,b', help: 'Words that the task gets besides those it has' },
    'agent-id': {
      type: 'string',
      value: 'id',
      help: 'Whose it is, where many work in one folder (default: AGENT_ID)',
    },
    meta: { type: 'string', value: 'json', help: 'Numbers, guards and facts of your own' },
    ...JSON_OPTION,
  },
  examples: [
    {
      line: 'gantry effort start implement --title "Search" --phase plan',
      does: 'From now on sessions in this folder work on it',
    },
    {
      line: `gantry effort start fix --meta '{"settings":{"heartbeat_block":20}}'`,
      does: 'With a number of its own: 20 tool calls without a word before one is denied',
    },
    {
      line: 'gantry effort start fix --task ~/tasks/search --keywords fts,rank',
      does: 'One more effort in a task that is there, which keeps its title',
    },
    {
      line: 'gantry effort start test --agent-id tester',
      does: 'For the agent that runs with AGENT_ID=tester',
    },
  ],
  async run(input) {
    const wanted = wantedEffort(input)
    const before = await activeHere(input.places, wanted.cwd)
    const effort = (await call(input.places, 'effort.start', wanted)) as EffortBegun
    const shadowed = before && before.agentId === effort.agentId ? before : undefined
    return told(
      input,
      effort,
      `  ${dim('files')}  ${plain(short(effort.taskId))}`,
      ...(shadowed
        ? [
            `  ${yellow('!')} effort ${shadowed.id} is still active here; sessions work on the newer one. Finish it with: gantry effort finish --effort ${shadowed.id}`,
          ]
        : []),
      ...keptTitle(wanted.title, effort),
      ...whom(effort),
      `  ${dim('next')}   gantry effort log "<what was done, what is next>"`,
    )
  },
}

function keptTitle(wanted: string | undefined, { title }: EffortBegun): string[] {
  if (wanted === undefined || wanted === title) return []
  return [`  ${yellow('!')} the task is called "${plain(title)}" already; --title is for new ones`]
}

const MAX_NAMES = 5

/** Who works on it from now on, and what they are denied: nobody is to find out by being stopped. */
function whom({ agentId, project, sessionsHere, settings }: EffortBegun): string[] {
  const inside = `in ${plain(short(project))}, in folders below it and in worktrees of it`
  const who =
    agentId === null ? `every session ${inside}` : `sessions with AGENT_ID=${plain(agentId)} ${inside}`
  const names = sessionsHere.slice(0, MAX_NAMES).map(plain).join(', ')
  const more = sessionsHere.length > MAX_NAMES ? ` and ${sessionsHere.length - MAX_NAMES} more` : ''
  const now = names === '' ? '' : ` (now: ${names}${more})`
  const { heartbeat_block: limit, heartbeat_denials: denials } = settings
  const denies =
    limit === 0
      ? 'no tool call is denied'
      : `the ${ordinal(limit)} tool call without a log is denied, at most ${denials} in a row; sub-agents never are`
  const change =
    limit === 0 ? '' : ` ${dim(`(other numbers: --meta '{"settings":{"heartbeat_block":0}}' never denies)`)}`
  return [`  ${dim('for')}    ${who}${now}`, `  ${dim('denies')} ${denies}${change}`]
}

const SKILL = /^[A-Za-z0-9][\w-]{0,63}$/
const META_EXAMPLE = `--meta '{"settings":{"heartbeat_block":20}}'`

function wantedEffort(input: Input) {
  const [skill, ...rest] = input.args
  if (skill === undefined)
    throw new GantryError('USAGE', 'Say what is done, in one word: gantry effort start implement')
  if (rest.length > 0 || !SKILL.test(skill)) {
    const said = plain([skill, ...rest].join(' '))
    throw new GantryError(
      'USAGE',
      `A skill is one word of letters, digits, - and _, not "${said}". What it is about goes into --title.`,
    )
  }
  const { phase, mode, task, 'agent-id': agentId } = input.flags
  const title = stringFlag(input, 'title')
  const keywords = keywordsOf(input)
  const metadata = metadataOf(input)
  return {
    cwd: process.cwd(),
    skill,
    ...(title === undefined ? {} : { title }),
    ...(keywords === undefined ? {} : { keywords }),
    ...(phase === undefined ? {} : { phase }),
    ...(mode === undefined ? {} : { mode }),
    ...(typeof task === 'string' ? { taskDir: resolve(task) } : {}),
    ...(agentId === undefined ? {} : { agentId }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

function keywordsOf(input: Input): string[] | undefined {
  const text = stringFlag(input, 'keywords')
  return text
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

function metadataOf(input: Input): object | undefined {
  const text = stringFlag(input, 'meta')
  if (text === undefined) return undefined
  const value = parsedJson(text, '--meta', META_EXAMPLE)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new GantryError('USAGE', `--meta takes a JSON object. For example: ${META_EXAMPLE}`)
}

async function activeHere(places: Places, cwd: string): Promise<EffortView | undefined> {
  try {
    return (await call(places, 'effort.get', { cwd, messages: 0 })) as EffortView
  } catch (error) {
    if (error instanceof GantryError && error.code === 'VALIDATION_ERROR') return undefined // there is none
    throw error
  }
}
